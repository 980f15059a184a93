import { D4, at } from "./documents";
import { PORT } from "./ports";

/** Where the documents say how multicast between the pods of a namespace is verified. */
export const multicastSource = at(D4, "15.13.2. Enabling multicast between pods, Verification");

/** The verification of the documents: one pod joins a group, and another one sends to it. */
export const MULTICAST = {
  /**
   * The groups, by family. The documents have that of IPv4. That of IPv6 is the one of OVN-Kubernetes' own tests: it lets pods
   * use groups whose address has the bit T alone.
   */
  groups: { IPv4: "224.1.0.1", IPv6: "ff3e::4321:1234" },
  /** Where the group's messages go. UDP. */
  port: PORT.multicastVerification,
  /** Routers that a message may pass: `ip-multicast-ttl=64`. */
  timeToLive: 64,
  /** Seconds between two messages. */
  everySeconds: 1,
  /** Seconds for which a message is waited for. OVN has heard of a new member of a group long before. */
  listenSeconds: 30,
} as const;
