import type { PolicyResource, ResourceValidationArgs } from "@pulumi/policy";

import { Session } from "../../policy/session";
import { rules } from "../../src/rules";
import type { PropertyValue } from "../../src/resources/resource";
import { TYPE } from "../../src/resources/resourceTypes";
import { group, hostedCluster, resource, tags } from "../rules/builders";

const rule = rules.find(({ id }) => id === "cidr-invalid")!;

function shown(name: string, properties: Record<string, PropertyValue>): PolicyResource {
  const { origin, type } = resource(TYPE.subnet, name, properties);
  return { urn: origin.urn, type, name, props: properties } as unknown as PolicyResource;
}

test("a rule judges the stack that was shown last, and nothing before", () => {
  const session = new Session("");
  expect(session.found(rule)).toBeUndefined();
  session.show([shown("a", { cidrBlock: "10.0.0.0/24" })]);
  expect(session.found(rule)).toEqual([]);
  session.show([shown("a", { cidrBlock: "10.0.0/24" })]);
  expect(session.found(rule)).toHaveLength(1);
  // Within one operation it repeats its findings; in the next one it does not report them again.
  expect(session.found(rule)).toHaveLength(1);
  session.show([shown("a", { cidrBlock: "10.0.0/24" })]);
  expect(session.found(rule)).toEqual([]);
});

test("a stack is judged in the order in which its resources were created, whatever the order of the engine", () => {
  const firewall = (name: string) => {
    const type = "kubernetes:k8s.ovn.org/v1:EgressFirewall";
    const properties = { metadata: { name: "default", namespace: "shop" }, spec: { egress: [] } };
    const { origin } = resource(type, name, properties);
    return { urn: origin.urn, type, name, props: properties } as unknown as PolicyResource;
  };
  const duplicate = rules.find(({ id }) => id === "egress-firewall-duplicate")!;
  const [first, second] = [firewall("first"), firewall("second")];
  for (const order of [
    [first, second],
    [second, first],
  ]) {
    const session = new Session("");
    for (const one of [first, second]) session.remember("topology", one as unknown as ResourceValidationArgs);
    session.show(order);
    expect(session.found(duplicate)?.map((one) => one.resource.urn)).toEqual([first.urn, second.urn]);
  }
});

test("a rule that the provider read back, and that this update may delete, is unknown", () => {
  const publicPort = rules.find(({ id }) => id === "port-public")!;
  const world = { protocol: "tcp", fromPort: 10250, toPort: 10250, cidrBlocks: ["0.0.0.0/0"] };
  const { origin, type } = group("hosts", []);
  const shownGroup = (props: Record<string, PropertyValue>) =>
    ({ urn: origin.urn, type, name: "hosts", props }) as unknown as PolicyResource;
  const cluster = hostedCluster();
  const hosted = {
    urn: cluster.origin.urn,
    type: cluster.type,
    name: cluster.name,
    props: cluster.properties,
  };
  const found = (given: Record<string, PropertyValue>) => {
    const session = new Session("");
    session.remember("topology", shownGroup(given) as unknown as ResourceValidationArgs);
    session.show([
      hosted as unknown as PolicyResource,
      shownGroup({ ...given, id: "sg-1", ingress: [world], egress: [] }),
    ]);
    return { reported: session.found(publicPort), unknown: session.takeUnknown() };
  };
  expect(found({ tags: tags(), ingress: [world] }).reported).toHaveLength(1);
  const doubtful = found({ tags: tags() });
  expect(doubtful.reported).toEqual([]);
  expect(doubtful.unknown).toEqual([expect.stringContaining("ingress[0].cidrBlocks[0]")]);
});
