import type { Prefix } from "../../../address";
import { PROTOCOL_NUMBER } from "../../packets";
import type { NeededRule } from "./neededRules";

/** Protocol and ports of a rule in the words of AWS. */
export interface AwsTraffic {
  protocol: string;
  fromPort: number;
  toPort: number;
}

const { tcp, udp, icmp, icmpV6 } = PROTOCOL_NUMBER;
const NAME: Readonly<Record<number, string>> = {
  [tcp]: "tcp",
  [udp]: "udp",
  [icmp]: "icmp",
  [icmpV6]: "icmpv6",
};

export const isIcmp = (protocol: number | undefined): boolean => protocol === icmp || protocol === icmpV6;

/** AWS takes every port of a protocol without ports as 0 to 0, and every message of ICMP as -1. */
export function awsTraffic({ protocol, ports }: NeededRule): AwsTraffic {
  if (protocol === undefined) return { protocol: "-1", fromPort: 0, toPort: 0 };
  const name = NAME[protocol] ?? String(protocol);
  if (protocol === tcp || protocol === udp) return { protocol: name, fromPort: ports.from, toPort: ports.to };
  const none = isIcmp(protocol) ? -1 : 0;
  return { protocol: name, fromPort: none, toPort: none };
}

/** ICMP of a family has no packets of the other one. */
export const endsOf = ({ protocol, peers }: NeededRule): readonly Prefix[] =>
  isIcmp(protocol) ? peers.filter(({ family }) => family === (protocol === icmp ? 4 : 6)) : peers;
