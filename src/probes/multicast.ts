import { MULTICAST } from "../requirements/probes";
import { podSpec, type ProbeFrame } from "./frame";
import { probeJob, RequestKind, type IpFamily, type ProbeRequest, podHead } from "./objects";
import { clientScript } from "./scripts";

/** The name of the sending pod. */
export const senderName = (name: string): string => `${name}-sender`;

/** A pod that sends its name to the group of each family until it is removed. */
export function senderPod(frame: ProbeFrame, families: readonly IpFamily[], deadlineSeconds: number) {
  const groups = families.map((family) => [MULTICAST.groups[family], MULTICAST.port]);
  return {
    ...podHead(frame, senderName(frame.name)),
    spec: {
      ...podSpec(frame, {
        name: "sender",
        command: ["python3", "-c", SENDER_SCRIPT],
        env: [{ name: "MULTICAST_GROUPS", value: JSON.stringify(groups) }],
      }),
      activeDeadlineSeconds: deadlineSeconds,
    },
  };
}

/** The messages that the receiver waits for: one for each family. */
export const multicastRequests = (frame: ProbeFrame, families: readonly IpFamily[]): ProbeRequest[] =>
  families.map((family) => ({
    id: `multicast/${family}`,
    kind: RequestKind.Multicast,
    address: MULTICAST.groups[family],
    port: MULTICAST.port,
    answers: [senderName(frame.name)],
  }));

/** The Job whose pod joins the groups, if possible on another node than the sender. Its result decides. */
export const receiverJob = (frame: ProbeFrame, requests: readonly ProbeRequest[], timeoutSeconds: number) =>
  probeJob(frame, {
    requests,
    timeoutSeconds,
    patience: { timeout: MULTICAST.listenSeconds, attempts: 1, pause: 0 },
    away: true,
    script: RECEIVER_SCRIPT,
  });

/** The interface of the default route: not eth0 in a namespace with its own primary network. */
const INTERFACE = `
def interface(v6):
    if "INTERFACE" in os.environ:
        return socket.if_nametoindex(os.environ["INTERFACE"])
    with open("/proc/net/ipv6_route" if v6 else "/proc/net/route") as lines:
        routes = [line.split() for line in lines]
    if v6:
        names = [route[-1] for route in routes if route[:2] == ["0" * 32, "00"] and route[-1] != "lo"]
    else:
        names = [route[0] for route in routes if route[1] == "00000000"]
    return socket.if_nametoindex(names[0]) if names else 0
`.trimStart();

/** Repeatedly sends the pod's name to each group in the variable MULTICAST_GROUPS, also for late members. For Python 3.8 and newer. */
export const SENDER_SCRIPT = `
import json, os, socket, struct, sys, time

${INTERFACE}
def send(group, port):
    v6 = ":" in group
    with socket.socket(socket.AF_INET6 if v6 else socket.AF_INET, socket.SOCK_DGRAM) as connection:
        if v6:
            connection.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_HOPS, ${MULTICAST.timeToLive})
            connection.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, interface(v6))
        else:
            by = struct.pack("=4s4si", b"", b"", interface(v6))
            connection.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, ${MULTICAST.timeToLive})
            connection.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, by)
        connection.sendto(socket.gethostname().encode(), (group, port))

while True:
    for group, port in json.loads(os.environ["MULTICAST_GROUPS"]):
        try:
            send(group, port)
        except OSError as error:
            print("not sent to", group, error, file=sys.stderr, flush=True)
    time.sleep(${MULTICAST.everySeconds})
`.trimStart();

/** Joins a group, and waits for a message with one of the names. Other messages to the group are no proof. */
const MULTICAST_REQUEST = `
${INTERFACE}
def multicast_request(request, address, port):
    v6 = ":" in address
    family = socket.AF_INET6 if v6 else socket.AF_INET
    group = socket.inet_pton(family, address)
    deadline = time.monotonic() + request["timeout"]
    others = ""
    with socket.socket(family, socket.SOCK_DGRAM) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        connection.bind((address, port))
        if v6:
            member = group + struct.pack("=I", interface(v6))
            connection.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, member)
        else:
            member = struct.pack("=4s4si", group, b"", interface(v6))
            connection.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, member)
        while deadline > time.monotonic():
            connection.settimeout(max(0.01, deadline - time.monotonic()))
            try:
                message, sender = connection.recvfrom(200)
            except socket.timeout:
                break
            if message.decode("ascii", "replace") in request["answers"]:
                return "received from " + sender[0]
            others = ", and something else from " + sender[0]
    raise OSError("no message within %d seconds%s" % (request["timeout"], others))

`.trimStart();

/** The client script with support for messages to multicast groups. */
export const RECEIVER_SCRIPT = clientScript(MULTICAST_REQUEST, ', "multicast": multicast_request');
