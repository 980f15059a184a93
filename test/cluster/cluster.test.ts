import { serverHost } from "../../src/cluster/cluster";

describe("the host of a cluster", () => {
  test.each([
    ["https://api.example.com:6443", "api.example.com:6443"],
    ["https://me:hunter2@api.example.com:6443/k8s/clusters/c-1", "api.example.com:6443"],
    ["https://[fd00::1]:6443/", "[fd00::1]:6443"],
    ["api.example.com", undefined],
  ])("of %s is %s, without path and credentials", (server, host) => {
    expect(serverHost(server)).toBe(host);
  });
});
