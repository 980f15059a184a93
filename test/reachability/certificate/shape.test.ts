import { certificateFaults } from "../../../src/reachability/certificate/shape";

const block = { services: [[0, 16_777_215]], sources: ["10.0.0.0/16"], destinations: ["0.0.0.0/0", "::/0"] };
const whole = {
  version: 2,
  cluster: "clusters/tenant-a",
  flows: [
    {
      journey: "workers-konnectivity",
      title: "konnectivity",
      places: [
        {
          guard: "network ACL hosts",
          packets: "answers",
          direction: "egress",
          required: [block],
          rules: [
            {
              rule: { urn: "urn:it", path: "" },
              holder: ["urn:group", "sg-1"],
              peers: [["urn:other", "sg-2"]],
              assumed: ["10.0.0.0/16"],
              packets: [block],
            },
            { rule: { file: "a.yaml", line: 3, path: "spec.ingress[0]" }, packets: [block] },
            { packets: [block] },
          ],
        },
      ],
      outside: [],
    },
  ],
};
const place = "flows[0].places[0]";
const [services, sources] = [`${place}.required[0].services`, `${place}.required[0].sources`];

/** The certificate with another value at a path. */
function withValue(path: string, value: unknown): unknown {
  const copy: unknown = JSON.parse(JSON.stringify(whole));
  const keys = path.match(/[^.[\]]+/g)!;
  const parent = keys.slice(0, -1).reduce((at, key) => (at as Record<string, unknown>)[key], copy);
  (parent as Record<string, unknown>)[keys.at(-1)!] = value;
  return copy;
}

const REMEDY = "recreate it with `hypershift-network certificate`";

test("a certificate may name rules by URN, by file and line, or not at all, and include the last service", () => {
  expect(certificateFaults(whole)).toEqual([]);
});

test.each([null, [], "certificate", 1])("%j is not a certificate", (value) => {
  expect(certificateFaults(value)).toEqual([
    { path: "certificate", problem: "is not an object", remedy: REMEDY },
  ]);
});

test("a certificate of another version is refused for its version only", () => {
  expect(certificateFaults({ version: 1 })).toEqual([
    {
      path: "version",
      problem: "1 is not supported: this release reads version 2",
      remedy: `${REMEDY} of this release`,
    },
  ]);
});

test.each<[string, unknown, string]>([
  ["version", "1", "is not a whole number"],
  ["version", undefined, "is missing"],
  ["cluster", "", "is not a string"],
  ["cluster", 3, "is not a string"],
  ["flows", {}, "is not a list"],
  ["flows", [], "is empty: no flow is proved"],
  ["flows[0]", [], "is not an object"],
  ["flows[0].journey", undefined, "is missing"],
  ["flows[0].title", undefined, "is missing"],
  ["flows[0].outside", "", "is not a list"],
  ["flows[0].outside[0]", 3, "is not a string"],
  ["flows[0].places", [], "is empty: the path of the flow has no places"],
  [`${place}.guard`, undefined, "is missing"],
  [`${place}.packets`, "both", "is not one of calls, answers"],
  [`${place}.direction`, "both", "is not one of ingress, egress"],
  [`${place}.direction`, undefined, "is missing"],
  [`${place}.rules[0].holder[1]`, "", "is not a string"],
  [`${place}.rules[0].peers[0]`, "sg-2", "is not a list"],
  [`${place}.required`, [], "is empty: it matches no packet"],
  [services, [], "is empty: it matches no packet"],
  [sources, [], "is empty: it matches no packet"],
  [`${place}.required[0].destinations`, [], "is empty: it matches no packet"],
  [`${sources}[0]`, "10.0.0.0/99", "10.0.0.0/99 has a mask that is too long"],
  [`${place}.rules`, [], "is empty: no rule allows the packets"],
  [`${place}.rules[0].packets`, undefined, "is missing"],
  [`${place}.rules[0].assumed[0]`, "10.0.0", "10.0.0 is not a CIDR block"],
  [`${place}.rules[0].rule`, "urn:it", "is not an object"],
  [`${place}.rules[0].rule`, { path: "" }, "has neither urn nor file"],
  [`${place}.rules[0].rule.path`, 3, "is not a string"],
  [`${place}.rules[0].rule.urn`, "", "is not a string"],
  [`${place}.rules[1].rule.file`, "", "is not a string"],
  [`${place}.rules[1].rule.line`, 1.5, "is not a whole number"],
])("%s: %j %s", (path, value, problem) => {
  expect(certificateFaults(withValue(path, value))).toEqual([{ path, problem, remedy: REMEDY }]);
});

test.each([
  [[5]],
  [[1, 2, 3]],
  ["5-6"],
  [[5, 3]],
  [[-1, 3]],
  [[0.5, 3]],
  [[0, 3.5]],
  [[0, 16_777_216]],
  [["0", "1"]],
])("%j is not a range of services", (value) => {
  expect(certificateFaults(withValue(`${services}[0]`, value))).toEqual([
    {
      path: `${services}[0]`,
      problem: "is not a pair of first and last number up to 16777215",
      remedy: REMEDY,
    },
  ]);
});

test("a range may consist of the first service only", () => {
  expect(certificateFaults(withValue(`${services}[0]`, [0, 0]))).toEqual([]);
});
