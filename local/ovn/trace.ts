import { PROTOCOL_NUMBER } from "../../src/reachability/packets/service";
import type { Ovn } from "../servers/ovn";
import { entrance, worldOf } from "./network";
import { addressOf, podAt, type Packet, type Scene } from "./scene";

/** The verdict on a packet. */
export type TraceResult = "allowed" | "denied";

/** Traces a packet through OVN's logical flows. Throws if anything other than an access control list stops it. */
export async function traced(ovn: Ovn, scene: Scene, packet: Packet): Promise<TraceResult> {
  const [from, to] = [podAt(packet.from), podAt(packet.to)];
  const { network, match } = entrance(scene, from, to);
  const answer = await ovn.trace(network, `${match} && ${microflow(packet)}`);
  const verdict = verdictOf(answer, to?.name ?? worldOf(scene));
  if (!verdict || answer.includes("use --ct to customize"))
    throw new Error(`OVN neither delivers the packet nor denies it:\n${microflow(packet)}\n${answer}`);
  return verdict;
}

/** The packet in OVN's syntax. */
export function microflow(packet: Packet): string {
  const { family } = packet;
  const ip = `ip${family}`;
  const source = `${ip}.src == ${addressOf(packet.from, family)}`;
  return `${source} && ${ip}.dst == ${addressOf(packet.to, family)} && ${serviceOf(packet)}`;
}

const TRANSPORT: Readonly<Record<number, string>> = {
  [PROTOCOL_NUMBER.tcp]: "tcp",
  [PROTOCOL_NUMBER.udp]: "udp",
  [PROTOCOL_NUMBER.sctp]: "sctp",
};
const CONTROL: Readonly<Record<number, string>> = {
  [PROTOCOL_NUMBER.icmp]: "icmp4",
  [PROTOCOL_NUMBER.icmpV6]: "icmp6",
};

function serviceOf({ protocol, port }: Packet): string {
  const transport = TRANSPORT[protocol];
  if (transport !== undefined) return `${transport}.src == 40000 && ${transport}.dst == ${port}`;
  const control = CONTROL[protocol];
  if (control !== undefined) return `${control}.type == ${port >> 8} && ${control}.code == ${port & 255}`;
  return `ip.proto == ${protocol}`;
}

/** Denied if the last table that the packet reached is an access control list. */
function verdictOf(answer: string, port: string): TraceResult | undefined {
  if (answer.includes(`output to "${port}"`)) return "allowed";
  const tables = [...answer.matchAll(/^ *\d+\. (\w+)/gm)].map(([, table]) => table!);
  return /^ls_(in|out)_acl/.test(tables.at(-1) ?? "") ? "denied" : undefined;
}
