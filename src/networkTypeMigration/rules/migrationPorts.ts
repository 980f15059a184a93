import { OVERLAY_PORT, migrationSources } from "../../requirements/migration";
import { NetworkType } from "../../requirements/vocabulary";
import { UNKNOWN } from "../../resources/resource";
import { isNetworkOperator } from "../../resources/resourceTypes";
import { hiddenMigrations, numberAt, typeMigrations, type WrittenMigration } from "./migrations";
import { OVN_CONFIG } from "../../networkOperator/rules/networkOperators";
import { Level, unknown, violated, type Judgement, type Rule } from "../../gate/rule";

const GENEVE = `${OVN_CONFIG}.genevePort`;
const VXLAN = "spec.defaultNetwork.openshiftSDNConfig.vxlanPort";
const { OVNKubernetes: OVN, OpenShiftSDN: SDN } = NetworkType;

/** Two overlay networks with one port, while nodes have both. */
export const migrationPorts: Rule = {
  id: "migration-ports",
  title: "The overlay networks of a migration have ports of their own",
  level: Level.Error,
  description: `Network operators whose cluster changes its network type: the port of Geneve (${OVERLAY_PORT[OVN]} where none is given) and that of OpenShift SDN's VXLAN (${OVERLAY_PORT[SDN]}) are different, because nodes of both kinds run side by side. Whether the filters before the nodes let both pass is not judged: those of a standalone cluster are in no topology.`,
  documents: [migrationSources.steps, migrationSources.rollback],
  remediation: "Give one of the two another UDP port.",
  single: isNetworkOperator,
  judge: (judged) => [...hiddenMigrations(judged), ...typeMigrations(judged).flatMap(judgeMigration)],
};

function judgeMigration(migration: WrittenMigration): Judgement[] {
  const { resource } = migration;
  const geneve = numberAt(migration, GENEVE) ?? OVERLAY_PORT[OVN];
  const vxlan = numberAt(migration, VXLAN) ?? OVERLAY_PORT[SDN];
  if (geneve === UNKNOWN || vxlan === UNKNOWN)
    return [unknown({ resource, path: geneve === UNKNOWN ? GENEVE : VXLAN })];
  if (geneve !== vxlan) return [];
  const isGeneveWritten = migration.value(GENEVE) !== undefined;
  return [
    violated({
      resource: resource.origin,
      path: isGeneveWritten ? GENEVE : VXLAN,
      message: `UDP ${geneve} is the port of Geneve and of OpenShift SDN's VXLAN`,
      fix: `leave it out for UDP ${OVERLAY_PORT[isGeneveWritten ? OVN : SDN]}, or choose another one`,
    }),
  ];
}
