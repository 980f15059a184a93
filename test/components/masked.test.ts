import { prefixFaults } from "../../src/address/parse";
import { masked } from "../../src/components/masked";
import type { Fault } from "../../src/fault";

const fault = (path: string, problem: string, remedy = "write another one"): Fault => ({
  path,
  problem,
  remedy,
});
const secret = (path: string, ...values: string[]) => ({ path, values });
const SILENT = "correct it at its source: showing what to write would reveal the secret";

describe("a fault of a secret", () => {
  it.each(["10.0.0.1/16", "172.16.1.1", "1.2.3.4/8", "010.0.0.0/8", "2001:DB8::1/32", "::ffff:a00:0/104"])(
    "%s: shows neither the block nor its correction",
    (block) => {
      const [found] = masked(prefixFaults("rule.cidr", block), [secret("rule.cidr", block)]);
      expect(found!.remedy).toBe(SILENT);
      expect(found!.problem).not.toMatch(/\d\.\d|:\w*:/);
    },
  );

  it("keeps a fix that reveals nothing", () => {
    const url = fault("httpProxy", "has no scheme", "begin it with http://");
    expect(masked([url], [secret("httpProxy", "scott:hunter2@proxy.example.com")])).toEqual([url]);
  });

  it("masks the secret, and hides a fix that contains part of it", () => {
    const wrong = fault("noProxy[0]", '"*.example.com" has an asterisk', "write .example.com");
    expect(masked([wrong], [secret("noProxy[0]", "*.example.com")])).toEqual([
      fault("noProxy[0]", "[secret] has an asterisk", SILENT),
    ]);
  });

  it("masks a part of the secret, and the beginning of a long one", () => {
    const part = fault("noProxy", '"b c" is not a domain');
    expect(masked([part], [secret("noProxy", "a,b c")])[0]!.problem).toBe("[secret] is not a domain");
    const long = "correct horse battery staple, and then some more words of it";
    const shortened = fault("token", `${long.slice(0, 57)}... is too long`);
    expect(masked([shortened], [secret("other", long)])[0]!.problem).toBe("[secret] is too long");
  });

  it("is masked in tags and below a secret object", () => {
    const faults = [
      fault('tags["a.b/c"]', '"x y" is not a string'),
      fault("peers.workers.id", "sg_1 is no id"),
    ];
    expect(masked(faults, [secret("tags.a.b/c", "x y"), secret("peers", "sg_1")])).toMatchObject([
      { problem: "[secret] is not a string" },
      { problem: "[secret] is no id" },
    ]);
  });
});

describe("a fault of another input", () => {
  it("shows its own value, however similar to a secret", () => {
    const open = fault("open.cidr", "10.0.0.1/16 has host bits", "write 10.0.0.0/16");
    expect(masked([open], [secret("closed.cidr", "10.0.0.2/17")])).toEqual([open]);
  });

  it("masks a secret that it mentions, in any case and spelling", () => {
    const overlap = fault("join", "100.99.0.0/16 overlaps peer 2001:db8::/32");
    expect(masked([overlap], [secret("peer.cidr", "2001:DB8:0::/32")])[0]!.problem).toBe(
      "100.99.0.0/16 overlaps peer [secret]",
    );
  });

  it.each([
    ["192.168.77.99/24", "192.168.78.1 lies outside 192.168.77.0/24", "192.168.78.1 lies outside [secret]"],
    ["192.168.77.99/24", "192.168.77.99 is the gateway", "[secret] is the gateway"],
    ["198.51.77.7/32", "cuts off the API server at 198.51.77.7", "cuts off the API server at [secret]"],
    ["2001:DB8:0::7/128", "meets 2001:db8::7", "meets [secret]"],
    ["2001:DB8:0::7", "meets 2001:db8::7", "meets [secret]"],
    ["10.77.0.0/16", "10.0.0.0/8 contains 10.77.0.0/16", "10.0.0.0/8 contains [secret]"],
    ["10.0.0.0/16", "10.0.0.0/8 contains 10.0.0.0/16", "10.0.0.0/8 contains [secret]"],
  ])("masks the address or block that the secret %s denotes: %s", (value, problem, shown) => {
    expect(masked([fault("open", problem)], [secret("closed", value)])[0]!.problem).toBe(shown);
  });

  it("keeps words that happen to contain a short secret", () => {
    const open = fault("a", "has no peer");
    expect(masked([open], [secret("b", "a", "o", "")])).toEqual([open]);
  });
});
