import type { Operation, Ovn } from "../servers/ovn";
import type { Acl, Translation } from "./acls/acl";
import { withoutTiers } from "./acls/withoutTiers";
import { portReference } from "./network";

/** The rows of a translation for the northbound database. */
export function translationRows(ovn: Ovn, { acls, groups, sets }: Translation): Operation[] {
  const hasTiers = ovn.hasColumn("ACL", "tier");
  const written = hasTiers ? acls : withoutTiers(acls);
  return [
    ...[...sets].map(([name, addresses]) => ({
      op: "insert",
      table: "Address_Set",
      row: { name, addresses: ["set", addresses] },
    })),
    ...[...groups].flatMap(([group, pods]) => {
      const entries = written.filter((acl) => acl.group === group);
      const name = (position: number) => `acl_${group}_${position}`;
      return [
        ...entries.map((acl, position) => ({
          op: "insert",
          table: "ACL",
          "uuid-name": name(position),
          row: rowOf(acl, hasTiers),
        })),
        {
          op: "insert",
          table: "Port_Group",
          row: {
            name: group,
            ports: ["set", pods.map(portReference)],
            acls: ["set", entries.map((_, position) => ["named-uuid", name(position)])],
          },
        },
      ];
    }),
  ];
}

const rowOf = ({ direction, priority, match, action, tier }: Acl, hasTiers: boolean): object => ({
  direction,
  priority,
  match,
  action,
  ...(direction === "from-lport" && { options: ["map", [["apply-after-lb", "true"]]] }),
  ...(hasTiers && { tier }),
});
