import { MACHINE_CONFIG_SCRIPT, type MigratedType } from "../requirements/migration";
import { nameOf } from "../resources/objectText";
import { read } from "../resources/read";
import type { MigratingCluster } from "./cluster";
import { condition } from "./condition";

/** Whether a machine configuration that was read prepares nodes for a type. */
function prepares({ objects }: MigratingCluster, name: string | undefined, type: MigratedType): boolean {
  const config = objects.machineConfigs?.find((one) => nameOf(one) === name);
  if (!config) return false;
  const start = new RegExp(`${MACHINE_CONFIG_SCRIPT.replaceAll(".", "\\.")} ${type}\\s*$`, "m");
  return read(config, "spec.config.systemd.units[].contents").some(
    ({ value }) => typeof value === "string" && start.test(value),
  );
}

/** Whether all machines of all pools got a configuration of a type, which restarted them. */
export const machinesAreFor = (cluster: MigratingCluster, type: MigratedType): boolean =>
  cluster.pools.length > 0 &&
  cluster.pools.every(({ machinesHave }) => prepares(cluster, machinesHave, type));

/** What the pools bring onto their machines is of the new type. */
export const machineConfigsFit = condition(
  `the machine configuration of every MachineConfigPool starts ${MACHINE_CONFIG_SCRIPT} with the new type`,
  ({ cluster, target }) =>
    cluster.pools
      .filter(({ configuration }) => !prepares(cluster, configuration, target))
      .map(({ name, configuration }) => ({
        path: `MachineConfigPool ${name}`,
        problem: configuration
          ? `has the machine configuration ${configuration} without ${MACHINE_CONFIG_SCRIPT} ${target}`
          : "names no machine configuration",
        remedy: `wait for the Machine Config Operator: oc get machineconfig ${configuration ?? "NAME"} -o yaml | grep ExecStart`,
      })),
);
