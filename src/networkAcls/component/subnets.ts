import type { Fault } from "../../fault";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import { Role } from "../../requirements/vocabulary";
import { type Known, named, plainWord, valueText } from "../../components/hostRules/givenValues";
import { elsewhere, inputFaults, needed, object } from "../../objects/shape";
import { WORKERS_ON_EC2 } from "../../components/hostRules/rulePeers";
import { SUBNET_ROLES, type SubnetRole } from "./answers";
import { isRecord, grouped } from "../../collections";
import { isGiven } from "../../resources/read";

/** A subnet used only by hosts of one role of this cluster. Mirrors the component's `DedicatedSubnet`. */
export interface GivenSubnet {
  subnetId: Known<string>;
  role?: Role | null;
}

export type GivenSubnets = Readonly<Record<string, GivenSubnet>>;

export const roleOf = ({ role }: GivenSubnet): SubnetRole => (role ?? Role.ControlPlane) as SubnetRole;

/** The roles that have an ACL: always the control plane, and the workers if a subnet of workers is declared. */
export function aclRoles(subnets: GivenSubnets): SubnetRole[] {
  const declared = Object.values(subnets).map(roleOf);
  return SUBNET_ROLES.filter((role) => role === Role.ControlPlane || declared.includes(role));
}

/** The roles of the associated subnets. */
export function filteredRoles(subnets: GivenSubnets, associated: readonly string[]): SubnetRole[] {
  return associated.flatMap((key) => (subnets[key] ? [roleOf(subnets[key])] : []));
}

const declaredSubnets = named(
  object(
    { subnetId: needed(elsewhere, "write its id: subnet-..."), role: plainWord(SUBNET_ROLES) },
    { remedy: "write { subnetId: ... }" },
  ),
  "write subnets under keys of your choice: { key: { subnetId: ... } }",
);

/** Faults in the shape of the declared subnets and of the list of subnets whose traffic is filtered. */
export function subnetFaults(subnets: unknown, associated: unknown): Fault[] {
  const declared = isRecord(subnets) ? subnets : {};
  return [
    ...inputFaults({ dedicatedSubnets: declaredSubnets }, { dedicatedSubnets: subnets }),
    ...repeatedFaults(declared),
    ...(isGiven(subnets) && !isRecord(subnets) ? [] : associationFaults(declared, associated)),
  ];
}

/** Faults for subnets that are declared twice: a subnet has one ACL. */
function repeatedFaults(subnets: Readonly<Record<string, unknown>>): Fault[] {
  const known = Object.entries(subnets).flatMap(([key, subnet]) =>
    isRecord(subnet) && typeof subnet.subnetId === "string" ? [{ key, id: subnet.subnetId }] : [],
  );
  return [...grouped(known, ({ id }) => id).values()].flatMap(([first, ...others]) =>
    others.map(({ key, id }) => ({
      path: `dedicatedSubnets.${key}.subnetId`,
      problem: `${id} is already declared as ${first.key}`,
      remedy: "declare each subnet once: it has one network ACL",
    })),
  );
}

function associationFaults(declared: Readonly<Record<string, unknown>>, associated: unknown): Fault[] {
  const path = "associatedSubnets";
  if (!isGiven(associated)) return [];
  if (!Array.isArray(associated))
    return [{ path, problem: "is not a list", remedy: "write a list of keys of dedicatedSubnets" }];
  return associated.flatMap((key: unknown, index) => {
    const at = `${path}[${index}]`;
    if (associated.indexOf(key) < index)
      return [{ path: at, problem: `${valueText(key)} is already in the list`, remedy: "remove it" }];
    if (typeof key === "string" && Object.hasOwn(declared, key)) return [];
    return [
      {
        path: at,
        problem: `${valueText(key)} is not declared dedicated, and a network ACL filters everything in a subnet, including hosts of other clusters`,
        remedy: "declare it in dedicatedSubnets under this key if only hosts of this cluster use it",
      },
    ];
  });
}

/** Faults for declared subnets of workers on a platform whose workers are not in AWS subnets. */
export function placeFaults({ platform }: NormalizedTopology, subnets: GivenSubnets): Fault[] {
  if (WORKERS_ON_EC2.includes(platform)) return [];
  return Object.entries(subnets)
    .filter(([, subnet]) => roleOf(subnet) === Role.Workers)
    .map(([key]) => ({
      path: `dedicatedSubnets.${key}.role`,
      problem: `workers of a hosted cluster on ${platform} are in no AWS subnet`,
      remedy: `remove it: it is for ${WORKERS_ON_EC2.join(", ")}`,
    }));
}
