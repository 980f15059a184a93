import { LIMIT } from "../../requirements/limits";
import { OVERLAY_OVERHEAD, migrationSources, nodeMtuOf, overlayMtu } from "../../requirements/migration";
import { NetworkType } from "../../requirements/vocabulary";
import { read } from "../../resources/read";
import { UNKNOWN } from "../../resources/resource";
import { isNetworkOperator } from "../../resources/resourceTypes";
import { hiddenMigrations, numberAt, typeMigrations, type WrittenMigration } from "./migrations";
import {
  networkOperators,
  OVN_CONFIG,
  type WrittenOperator,
} from "../../networkOperator/rules/networkOperators";
import { Level, unknown, violated, type Judgement, type Rule } from "../../gate/rule";

const MTU = "spec.migration.mtu";
const OVN_MTU = `${OVN_CONFIG}.mtu`;
const SDN_MTU = "spec.defaultNetwork.openshiftSDNConfig.mtu";
const { OVNKubernetes: OVN, OpenShiftSDN: SDN } = NetworkType;

/** MTUs of a migration that leave no room for the overlay network. */
export const migrationMtu: Rule = {
  id: "migration-mtu",
  title: "A migration's MTUs leave the overlay network its bytes of each packet",
  level: Level.Error,
  description: `Network operators that change the MTU of their network (spec.migration.mtu) or its type: all values that the operator wants, a network MTU of at least ${LIMIT.mtu.min} (${LIMIT.mtu.minWithIpv6} with IPv6), and ${OVERLAY_OVERHEAD[OVN]} bytes less than the nodes' with OVN-Kubernetes, ${OVERLAY_OVERHEAD.ipsec} more with IPsec, ${OVERLAY_OVERHEAD[SDN]} with OpenShift SDN. Where both types have an MTU, each is held against the other's nodes. The MTU that nodes have, and that network.from is the one that holds, no plan says.`,
  documents: [migrationSources.steps, migrationSources.rollback, migrationSources.operator],
  remediation: "Write the smallest MTU of the nodes less the bytes of the overlay network.",
  single: isNetworkOperator,
  judge: (judged) => [
    ...networkOperators(judged, MTU).flatMap(judgeChange),
    ...hiddenMigrations(judged),
    ...typeMigrations(judged).flatMap(judgeTypes),
  ],
};

const WANTED = ["network.from", "network.to", "machine.to"];

function judgeChange(operator: WrittenOperator): Judgement[] {
  const { resource, value } = operator;
  if (value(MTU) === UNKNOWN) return [unknown({ resource, path: MTU })];
  const absent = WANTED.filter((name) => value(`${MTU}.${name}`) === undefined);
  const network = numberAt(operator, `${MTU}.network.to`);
  const machine = numberAt(operator, `${MTU}.machine.to`);
  const pending = WANTED.filter((name) => value(`${MTU}.${name}`) === UNKNOWN);
  const least = holdsIpv6(operator) ? LIMIT.mtu.minWithIpv6 : LIMIT.mtu.min;
  const overhead = OVERLAY_OVERHEAD[OVN] + (hasIpsec(operator) ? OVERLAY_OVERHEAD.ipsec : 0);
  const at = (name: string, message: string, fix: string): Judgement =>
    violated({ resource: resource.origin, path: `${MTU}.${name}`, message, fix });
  return [
    ...absent.map((name) =>
      at(
        name,
        `missing: the network operator refuses a change of the MTU without it`,
        `write ${name}, also where it stays as it is`,
      ),
    ),
    ...(typeof network === "number" && network < least
      ? [at("network.to", `${network} is less than ${least}`, `write ${least} or more`)]
      : []),
    ...(typeof network === "number" && typeof machine === "number" && machine - network < overhead
      ? [
          at(
            "machine.to",
            `${machine} leaves ${machine - network} bytes beside ${network}, and the overlay network takes ${overhead} of each packet`,
            `write machine.to ${network + overhead} or more, or network.to ${machine - overhead} or less`,
          ),
        ]
      : []),
    ...pending.map((name) => unknown({ resource, path: `${MTU}.${name}` })),
  ];
}

const holdsIpv6 = ({ resource }: WrittenOperator): boolean =>
  read(resource.properties, "spec.clusterNetwork[].cidr").some(
    ({ value }) => typeof value === "string" && value.includes(":"),
  );

function hasIpsec({ value }: WrittenOperator): boolean {
  const mode = value(`${OVN_CONFIG}.ipsecConfig.mode`);
  return value(`${OVN_CONFIG}.ipsecConfig`) !== undefined && (mode === undefined || mode === "Full");
}

/** The nodes are the same before and after: an MTU that fitted the one overlay says how large the other's may be. */
function judgeTypes(migration: WrittenMigration): Judgement[] {
  const { resource, target } = migration;
  const ovn = numberAt(migration, OVN_MTU);
  const sdn = numberAt(migration, SDN_MTU);
  if (ovn === undefined || sdn === undefined) return [];
  if (ovn === UNKNOWN || sdn === UNKNOWN)
    return [unknown({ resource, path: ovn === UNKNOWN ? OVN_MTU : SDN_MTU })];
  const isBack = target === SDN;
  const [path, mtu, most, other] = isBack
    ? [SDN_MTU, sdn, overlayMtu(nodeMtuOf(ovn, OVN), SDN), `${ovn} of ${OVN}`]
    : [OVN_MTU, ovn, overlayMtu(nodeMtuOf(sdn, SDN), OVN), `${sdn} of ${SDN}`];
  if (mtu <= most) return [];
  const message = `${mtu} is too large for nodes that fit ${other}: ${most} is left of each packet`;
  return [violated({ resource: resource.origin, path, message, fix: `write ${most} or less` })];
}
