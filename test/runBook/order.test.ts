import fc from "fast-check";

import { contains, readPrefix } from "../../src/address";
import { requiredFlows } from "../../src/flows/required/requiredFlows";
import { flowsClosed, flowsOpened } from "../../src/runBook/steps/firewalls";
import { normal } from "../topology/topologies";
import { base, runBook, stepIds } from "./sides";
import { Disruption, type FlowRow, Outcome, type RunBook } from "../../src/runBook/runBook";

const block = fc.constantFrom(
  "10.0.0.0/16",
  "10.7.0.0/16",
  "10.7.1.0/24",
  "203.0.113.0/24",
  "198.51.100.0/24",
);
const blocks = fc.option(fc.uniqueArray(block, { maxLength: 3 }), { nil: undefined });
const lists = [
  "workerCidrs",
  "externalClientCidrs",
  "managementClusterCidrs",
  "dnsServerCidrs",
  "registryCidrs",
];
const topology = fc.record({
  ...Object.fromEntries(lists.map((name) => [name, blocks])),
  bootstrap: fc.boolean(),
  internalJoinSubnet: fc.constantFrom(undefined, "100.99.0.0/16", "100.98.0.0/16"),
  proxy: fc.constantFrom(undefined, { httpProxy: "http://proxy.example.com:3128" }),
  release: fc.constantFrom("4.20", "4.21", "4.22"),
});

/** Each peer of each flow. */
const needs = (raw: object): Set<string> =>
  new Set(
    requiredFlows(normal({ ...base, ...raw })).flatMap(({ role, direction, key, ports, peers }) =>
      peers.flatMap(({ prefixes = [] }) =>
        prefixes.map(({ text }) => `${role}/${direction}/${key} ${ports?.from} ${text}`),
      ),
    ),
  );
const rowsOf = ({ steps }: RunBook, isOpening: boolean): FlowRow[] =>
  steps.flatMap(({ id, flows = [] }) => (id.startsWith("open-") === isOpening ? flows : []));

const namesOf = (rows: readonly FlowRow[]) =>
  rows.flatMap(({ flow, service, peers }) =>
    peers.map((peer) => `${flow} ${/ (\d+)/.exec(service)?.[1]} ${peer}`),
  );

/** Whether `one` names the same flow as `other`, with a block that contains the other's. */
function covers(one: string, other: string): boolean {
  const [outer, inner] = [one, other].map((name) => /^(.*) (\S+)$/.exec(name)!);
  const [around, within] = [outer![2], inner![2]].map((text) => readPrefix(text!));
  return outer![1] === inner![1] && around !== undefined && within !== undefined && contains(around, within);
}

describe("steps that cut no flow", () => {
  test("opening steps come before all changes, and closing steps after them", () => {
    fc.assert(
      fc.property(topology, topology, (current, wanted) => {
        const ids = stepIds(runBook(current, wanted));
        const kind = (id: string) => (id.startsWith("open-") ? 0 : id.startsWith("close-") ? 2 : 1);
        const kinds = ids.map(kind);
        expect(kinds).toEqual([...kinds].sort());
      }),
      { numRuns: 60 },
    );
  });

  test("everything that the wanted state needs is open after the opening and after the closing steps", () => {
    fc.assert(
      fc.property(topology, topology, (current, wanted) => {
        const book = runBook(current, wanted);
        const [opened, closed] = [true, false].map((isOpening) => new Set(namesOf(rowsOf(book, isOpening))));
        const open = [...new Set([...needs(current), ...opened!])];
        const left = open.filter((one) => !closed!.has(one));
        for (const stage of [open, left])
          expect([...needs(wanted)].filter((one) => !stage.some((other) => covers(other, one)))).toEqual([]);
      }),
      { numRuns: 80 },
    );
  });

  test("closing steps close only what the wanted state does not need", () => {
    fc.assert(
      fc.property(topology, topology, (current, wanted) => {
        const closed = namesOf(rowsOf(runBook(current, wanted), false));
        const is = [...needs(wanted)];
        expect(closed.filter((one) => is.some((other) => covers(other, one)))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  test("each step states its effect and way back, and opening steps have no disruption", () => {
    fc.assert(
      fc.property(topology, topology, (current, wanted) => {
        for (const { wayBack, effect, disruption, id } of runBook(current, wanted).steps) {
          expect(wayBack.text).not.toBe("");
          expect(effect).not.toBe("");
          if (id.startsWith("open-")) expect(disruption).toBe(Disruption.None);
        }
      }),
      { numRuns: 30 },
    );
  });

  test("the patches of a way back are those of the change in the other direction", () => {
    fc.assert(
      fc.property(topology, topology, (current, wanted) => {
        const [there, back] = [runBook(current, wanted), runBook(wanted, current)];
        for (const id of ["internal-subnets", "proxy"]) {
          const [one, other] = [there, back].map(({ steps }) => steps.find((step) => step.id === id));
          expect(one?.wayBack.patches).toEqual(other?.patches);
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe("flows open and close peer by peer", () => {
  const clients = (...externalClientCidrs: string[]) => normal({ ...base, externalClientCidrs });
  const peers = (rows: FlowRow[]) => rows.map(({ flow, peers: blocksOf }) => [flow, ...blocksOf]);
  const api = "control-plane/ingress/kube-apiserver";

  test("unchanged peers neither open nor close", () => {
    const same = clients("203.0.113.0/24");
    expect([flowsOpened(same, same), flowsClosed(same, same)]).toEqual([[], []]);
  });

  test("a narrower block opens before the wider one closes", () => {
    const [wide, narrow] = [clients("203.0.113.0/24"), clients("203.0.113.0/25")];
    expect(peers(flowsOpened(wide, narrow))).toEqual([[api, "203.0.113.0/25"]]);
    expect(peers(flowsClosed(wide, narrow))).toEqual([[api, "203.0.113.0/24"]]);
  });

  test("a wider block opens, and nothing closes", () => {
    const [narrow, wide] = [clients("203.0.113.0/25"), clients("203.0.113.0/24")];
    expect(peers(flowsOpened(narrow, wide))).toEqual([[api, "203.0.113.0/24"]]);
    expect(flowsClosed(narrow, wide)).toEqual([]);
  });

  test("a block inside one that stays needs no step", () => {
    const more = clients("203.0.113.0/24", "203.0.113.0/25");
    expect(flowsOpened(clients("203.0.113.0/24"), more)).toEqual([]);
  });

  test("undeclared peers are shown as the missing input", () => {
    expect(peers(flowsOpened(clients("203.0.113.0/24"), normal(base)))).toEqual([
      [api, "? externalClientCidrs"],
    ]);
  });
});

describe("presets come before the release that introduces their range", () => {
  const transit = { internalTransitSwitchSubnet: "100.69.0.0/16" };

  test("4.13 to 4.14 introduces the transit switch subnet", () => {
    const book = runBook({ release: "4.13" }, { release: "4.14", ...transit });
    expect(stepIds(book)).toEqual(["preset-internalTransitSwitchSubnet", "upgrade-4.14"]);
    expect(book.steps[0]).toMatchObject({
      disruption: Disruption.None,
      patches: [
        {
          kind: "Network",
          body: {
            spec: {
              defaultNetwork: {
                ovnKubernetesConfig: { ipv4: { internalTransitSwitchSubnet: "100.69.0.0/16" } },
              },
            },
          },
        },
      ],
    });
    expect(book.steps[1]!.preChecks[0]).toMatchObject({ result: "met" });
  });

  test("without a preset the run book states which range must be free", () => {
    const [step] = runBook({ release: "4.13" }, { release: "4.14" }).steps;
    expect(step!.preChecks[0]!.what).toMatch(
      /^100\.88\.0\.0\/16 is used nowhere around .*write internalTransitSwitchSubnet/,
    );
  });

  test("4.17 changes the masquerade subnet of new clusters only, and upgraded clusters can pin theirs", () => {
    const book = runBook({ release: "4.16" }, { release: "4.17" });
    expect(stepIds(book)).toEqual(["keep-masquerade", "upgrade-4.17"]);
    expect(book.steps[0]).toMatchObject({ optional: true, disruption: Disruption.None });
    expect(JSON.stringify(book.steps[0]!.patches[0]!.body)).toContain("169.254.169.0/29");
    expect(book.steps[1]!.preChecks.map(({ what }) => what)).toEqual([
      expect.stringMatching(/^100\.65\.0\.0\/16 is used nowhere/),
      expect.stringContaining("can be upgraded"),
    ]);
    expect(stepIds(runBook({ release: "4.17" }, { release: "4.18" }))).toEqual(["upgrade-4.18"]);
  });

  test("every minor release has an upgrade step, and a field is written once its release is reached", () => {
    const book = runBook({ release: "4.18" }, { release: "4.21", internalJoinSubnet: "100.99.0.0/16" });
    expect(stepIds(book)).toEqual(["upgrade-4.19", "upgrade-4.20", "internal-subnets", "upgrade-4.21"]);
    expect(book.outcome).toBe(Outcome.InPlace);
  });

  test("internal subnets move in one patch before an upgrade, if their fields exist already", () => {
    const book = runBook({}, { release: "4.21", internalJoinSubnet: "100.99.0.0/16", ...transit });
    expect(stepIds(book)).toEqual(["internal-subnets", "upgrade-4.21"]);
    expect(book.steps[0]!.patches).toHaveLength(1);
  });

  test("network types other than OVN-Kubernetes get none of its ranges", () => {
    const calico = { networkType: "Calico" };
    expect(stepIds(runBook({ ...calico, release: "4.16" }, { ...calico, release: "4.17" }))).toEqual([
      "upgrade-4.17",
    ]);
  });
});

describe("new nodes need the bootstrap ports", () => {
  const closed = { bootstrap: false };
  const proxy = { proxy: { httpProxy: "http://proxy.example.com:3128" } };

  test.each([
    ["a proxy", {}, proxy, "proxy"],
    ["a release", {}, { release: "4.21" }, "upgrade-4.21"],
  ])("%s opens them before and closes them after, if they are closed", (_, current, wanted, id) => {
    expect(stepIds(runBook({ ...closed, ...current }, { ...closed, ...wanted }))).toEqual([
      "open-bootstrap",
      id,
      "close-bootstrap",
    ]);
    expect(stepIds(runBook(current, wanted))).toEqual([id]);
    expect(stepIds(runBook({ ...closed, ...current }, wanted))).toEqual(["open-bootstrap", id]);
    expect(stepIds(runBook(current, { ...closed, ...wanted }))).toEqual([id, "close-bootstrap"]);
  });

  test("a machine network with a proxy opens them, because noProxy changes", () => {
    const workers = { ...closed, workerCidrs: ["10.0.0.0/16"] };
    const none = { ...workers, machineNetwork: undefined };
    expect(stepIds(runBook({ ...none, ...proxy }, { ...workers, ...proxy }))).toEqual(
      expect.arrayContaining(["open-bootstrap", "machine-network", "close-bootstrap"]),
    );
    expect(stepIds(runBook(none, workers))).not.toContain("open-bootstrap");
  });

  test("other changes create no nodes", () => {
    expect(stepIds(runBook(closed, { ...closed, internalJoinSubnet: "100.99.0.0/16" }))).toEqual([
      "internal-subnets",
    ]);
  });
});

describe("endpoint access", () => {
  const aws = (endpointAccess: string) => ({ platform: "AWS", endpointAccess });
  test("changes between public and private by way of PublicAndPrivate", () => {
    const accesses = (from: string, to: string) =>
      stepIds(runBook(aws(from), aws(to))).filter((id) => id.startsWith("endpoint"));
    expect(accesses("Public", "Private")).toEqual([
      "endpoint-access-PublicAndPrivate",
      "endpoint-access-Private",
    ]);
    expect(accesses("Private", "Public")).toEqual([
      "endpoint-access-PublicAndPrivate",
      "endpoint-access-Public",
    ]);
    expect(accesses("PublicAndPrivate", "Private")).toEqual(["endpoint-access-Private"]);
  });

  test.each([
    ["AWS", "Public", "PublicAndPrivate", true],
    ["AWS", "PublicAndPrivate", "Public", true],
    ["AWS", "PublicAndPrivate", "Private", false],
    ["AWS", "Private", "PublicAndPrivate", false],
    ["GCP", "PublicAndPrivate", "Private", false],
  ])("on %s from %s to %s rolls nodes out: %s", (platform, from, to, rollsOut) => {
    const [step] = runBook({ platform, endpointAccess: from }, { platform, endpointAccess: to }).steps.filter(
      ({ id }) => id.startsWith("endpoint"),
    );
    expect(step!.disruption === Disruption.NodesRollOut).toBe(rollsOut);
    expect(step!.verification.some(({ what }) => what.includes("UpdatingConfig"))).toBe(rollsOut);
  });

  test("marks the step to private as closing, with the previous access as its way back", () => {
    const { steps } = runBook(aws("Public"), aws("Private"));
    const last = steps.find(({ id }) => id === "endpoint-access-Private")!;
    expect(last.disruption).toBe(Disruption.Closes);
    expect(last.wayBack.patches[0]!.body).toEqual({
      spec: { platform: { aws: { endpointAccess: "PublicAndPrivate" } } },
    });
  });
});
