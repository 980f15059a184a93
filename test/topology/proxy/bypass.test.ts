import { readFileSync } from "node:fs";
import { join } from "node:path";

import {
  bypassesProxy,
  bypassingEntry,
  coverEntry,
  type Destination,
} from "../../../src/topology/proxy/apiProxy";

/** The verdicts of Go's httpproxy package on the same noProxy texts and URLs. */
const lines = readFileSync(join(__dirname, "httpproxy.golden.txt"), "utf8").trimEnd().split("\n");
const destinations = lines
  .filter((line) => line.startsWith("# https://"))
  .map((line): Destination => {
    const [, host, port] = /^# https:\/\/(.*?)(?::(\d+))?$/.exec(line)!;
    return { host: host!.replace(/^\[|\]$/g, ""), port: Number(port ?? 443) };
  });
const table = lines
  .filter((line) => /^[P-]+\|/.test(line))
  .map((line) => ({
    verdicts: line.slice(0, line.indexOf("|")),
    noProxy: line.slice(line.indexOf("|") + 1),
  }));

describe("M10 what bypasses a proxy", () => {
  it.each(table)("$noProxy has the same verdicts as Go's httpproxy", ({ verdicts, noProxy }) => {
    const ours = destinations.map((destination) => (bypassesProxy(noProxy, destination) ? "-" : "P"));
    expect(ours.join("")).toBe(verdicts);
  });

  it("names the first entry that covers the destination", () => {
    const entries = [".svc", "10.0.0.0/8", "api.example.com", ".example.com"];
    expect(bypassingEntry(entries, { host: "api.example.com", port: 6443 })).toBe("api.example.com");
    expect(bypassingEntry(entries, { host: "example.org", port: 443 })).toBeUndefined();
  });
});

describe("entries that cover another entry", () => {
  it.each([
    ["*", "example.com"],
    ["10.0.0.0/17,10.0.128.0/17", "10.0.0.0/16"],
    ["10.0.128.0/17,fd00::/8,10.0.0.0/18,10.0.0.9/16", "10.0.0.0/16"],
    ["10.0.0.0/32,10.0.0.1", "10.0.0.0/31"],
    ["10.0.0.0/8", "10.0.0.7"],
    ["example.com", "example.com"],
    ["10.0.0.0/8", "10.1.0.0/16"],
    ["10.0.0.7/8", "10.1.0.9/16"],
  ])("%s covers %s", (entry, other) => {
    expect(coverEntry(entry.split(","), other)).toBe(true);
  });

  it.each([
    ["example.com", "*"],
    ["10.0.0.0/17,10.0.192.0/18", "10.0.0.0/16"],
    ["10.0.0.0/32,10.0.0.1:443", "10.0.0.0/31"],
    ["example.com", "example.org"],
    ["10.1.0.0/16", "10.0.0.0/8"],
    ["10.0.0.0/8", "example.com"],
    ["example.com", "10.0.0.0/8"],
    ["fd00::/8", "10.0.0.0/8"],
  ])("%s does not cover %s", (entry, other) => {
    expect(coverEntry(entry.split(","), other)).toBe(false);
  });
});
