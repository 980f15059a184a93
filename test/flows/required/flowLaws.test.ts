import { serviceProperty } from "../../../src/requirements/publishedServices";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { ALL_PLATFORMS } from "../../../src/requirements/requirement";
import { Direction, Phase, Service, Zone, Role } from "../../../src/requirements/vocabulary";
import { NODE_PORTS } from "../../../src/requirements/ports";
import { endpointAccessModes } from "../../../src/requirements/platforms";
import { requirementOf } from "../../../src/requirements/requirements";
import { View, type RequiredFlow } from "../../../src/flows/model";
import { requiredFlows } from "../../../src/flows/required/requiredFlows";
import { faultsOf, lineOf, machines, normal, openly, published, topologies } from "../../topology/topologies";
import { missingInputs } from "../../../src/topology/missingInputs";

const stated = {
  ...machines,
  externalClientCidrs: ["203.0.113.0/24"],
  managementClusterCidrs: ["10.1.0.0/16"],
  loadBalancerSubnetCidrs: ["10.1.0.0/24"],
  dnsServerCidrs: ["10.1.0.2/32"],
  registryCidrs: ["198.51.100.0/24"],
};

/** The reviewed flows of one platform with each strategy, or the faults of strategies that HyperShift refuses. */
describe.each(ALL_PLATFORMS)("the flows of %s", (platform) => {
  test("are the reviewed ones with every strategy", () => {
    const text = Object.entries(published)
      .map(([strategy, services]) => {
        const raw = { ...stated, ...openly(platform), platform, services };
        return `# ${strategy}\n${describeCluster(raw)}\n`;
      })
      .join("\n");
    const file = join(__dirname, "flows.golden", `${platform}.txt`);
    if (process.env.UPDATE_GOLDEN && !process.env.CI) {
      mkdirSync(join(__dirname, "flows.golden"), { recursive: true });
      writeFileSync(file, text);
    }
    expect(existsSync(file)).toBe(true);
    expect(text).toBe(readFileSync(file, "utf8"));
  });
});

function describeCluster(raw: object): string {
  const faults = faultsOf(raw);
  if (faults.length > 0) return faults.map((line) => `refused: ${line}`).join("\n");
  return requiredFlows(normal(raw))
    .filter(({ role, optIn }) => !optIn || role === Role.ControlPlane)
    .map((flow) => [flow.role, flow.direction, lineOf(flow), ...marksOf(flow)].join(" "))
    .join("\n");
}

const marksOf = ({ view, phase, optIn }: RequiredFlow) => [
  ...(view === View.Hop ? ["[hop]"] : []),
  ...(phase === Phase.Bootstrap ? ["[bootstrap]"] : []),
  ...(optIn ? ["[opt-in]"] : []),
];

const forAll = (law: (flows: readonly RequiredFlow[], raw: object) => void) =>
  fc.assert(
    fc.property(topologies, (raw) => law(requiredFlows(normal(raw)), raw)),
    { numRuns: 80 },
  );

describe("laws that hold for every topology", () => {
  test("a key is unique in its role and direction", () => {
    forAll((flows) => {
      const keys = flows.map(({ role, direction, key }) => `${role} ${direction} ${key}`);
      expect(new Set(keys).size).toBe(keys.length);
    });
  });

  test("a flow has a requirement of its protocol, documents, peers and a purpose", () => {
    forAll((flows) => {
      for (const flow of flows) {
        expect(requirementOf(flow.requirement).protocol).toBe(flow.protocol);
        expect(flow.documents.length).toBeGreaterThan(0);
        expect(flow.peers.length).toBeGreaterThan(0);
        expect(flow.purpose).not.toBe("");
      }
    });
  });

  test("M5 everybody is a source only if the documents allow it", () => {
    forAll((flows) => {
      for (const { direction, publicAllowed, peers } of flows)
        if (direction === Direction.Ingress && !publicAllowed)
          expect(peers.flatMap(({ prefixes }) => prefixes ?? []).every(({ length }) => length > 0)).toBe(
            true,
          );
    });
  });

  test("M2 users never reach the whole node-port range", () => {
    forAll((flows) => {
      for (const { ports, peers } of flows)
        if (ports && ports.to - ports.from === NODE_PORTS.to - NODE_PORTS.from)
          expect(peers.map(({ zone }) => zone)).not.toContain(Zone.ExternalClients);
    });
  });

  test("the property of every unstated or assumed address is among the missing inputs", () => {
    forAll((flows, raw) => {
      const missing = missingInputs(normal(raw)).map(({ path }) => path.replace("topology.", ""));
      for (const { peers, optIn } of flows.filter((flow) => !flow.optIn || flow.role !== Role.Workers))
        for (const { assumed, prefixes, input, zone } of peers) {
          if (zone === Zone.SameSecurityGroup || (prefixes && !assumed) || optIn) continue;
          expect([...missing, "controlPlaneEndpointCidrs"]).toContain(input);
        }
    });
  });

  test("M14 all ingress flows of workers are opt-in", () => {
    forAll((flows) => {
      const toWorkers = flows.filter(
        ({ role, direction }) => role === Role.Workers && direction === Direction.Ingress,
      );
      expect(toWorkers.every(({ optIn }) => optIn)).toBe(true);
    });
  });

  test("M5 after the bootstrap exactly the lasting flows remain", () => {
    forAll((flows, raw) => {
      const closed = requiredFlows({ ...normal(raw), bootstrap: false });
      const lasting = flows
        .filter(({ phase }) => phase === Phase.Always)
        .map(({ key, role }) => `${role} ${key}`);
      expect(closed.map(({ key, role }) => `${role} ${key}`)).toEqual(lasting);
    });
  });

  test("stating more inputs never removes a flow", () => {
    forAll((flows, raw) => {
      const more = requiredFlows(normal({ ...raw, ...stated, workerNatCidrs: ["198.51.100.7/32"] }));
      const keys = new Set(more.map(({ role, direction, key }) => `${role} ${direction} ${key}`));
      for (const { role, direction, key } of flows) expect(keys).toContain(`${role} ${direction} ${key}`);
    });
  });

  test("stating the defaults explicitly changes no flow", () => {
    forAll((flows, raw) => {
      const { services, endpointAccess, platform } = normal(raw);
      const again = {
        ...raw,
        ...(endpointAccessModes(platform).length > 0 && { endpointAccess }),
        services: Object.fromEntries(
          Object.values(Service).map((service) => [serviceProperty[service], services[service]]),
        ),
      };
      expect(requiredFlows(normal(again)).map(lineOf)).toEqual(flows.map(lineOf));
    });
  });
});
