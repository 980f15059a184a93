import * as pulumi from "@pulumi/pulumi";
import { judgeEgressIp, knownAddresses } from "../../egressIp/judge";
import { multicastFaults } from "../../multicast/multicast";
import { judgeEgressFirewall } from "../../egressFirewall/judge";
import { EgressRouterForm } from "../../egressRouter/egressRouter";
import { judgeEgressRouter, routerAddresses, type EgressRouterInputs } from "../../egressRouter/judge";
import type { PropertyMap } from "../../resources/read";
import { knownPart } from "../../components/settled";
import {
  EgressFirewall,
  type EgressFirewallArgs,
  type EgressFirewallSettings,
} from "../../egressFirewall/component/egressFirewall";
import { EgressIP, PLAIN_EGRESS_IP_INPUTS } from "../../egressIp/component/egressIp";
import type { EgressIPArgs, EgressIPSettings } from "../../egressIp/component/egressIpArgs";
import { EgressRouter, PLAIN_EGRESS_ROUTER_INPUTS } from "../../egressRouter/component/egressRouter";
import type { EgressRouterArgs, EgressRouterSettings } from "../../egressRouter/component/egressRouterArgs";
import {
  MulticastNamespace,
  type MulticastNamespaceArgs,
} from "../../multicast/component/multicastNamespace";
import { sentences } from "../../components/checked";
import { LandingZonePart } from "../hostedClusterLandingZoneArgs";
import { PartTarget, partWithEntries, type UniqueEntry } from "./part";

const egressFirewalls = partWithEntries({
  part: LandingZonePart.EgressFirewalls,
  target: PartTarget.HostedCluster,
  argsOf: ({ topology }, _, settings: EgressFirewallSettings): EgressFirewallArgs => ({
    ...settings,
    topology,
  }),
  judge: (known) => {
    const { faults, warnings } = judgeEgressFirewall(known);
    return { faults, warnings: sentences(warnings), unique: named("an egress firewall", "namespace", known) };
  },
  create: EgressFirewall,
  outputsOf: () => ({}),
});

const egressIps = partWithEntries({
  part: LandingZonePart.EgressIps,
  target: PartTarget.HostedCluster,
  plain: PLAIN_EGRESS_IP_INPUTS,
  argsOf: ({ topology }, key, settings: EgressIPSettings): EgressIPArgs => ({
    objectName: [knownPart(topology?.name), key].filter((word) => typeof word === "string").join("-"),
    ...settings,
    topology,
  }),
  judge: (known) => {
    const { faults, warnings } = judgeEgressIp(known);
    const addresses = addressesTaken("addresses", knownAddresses(known.addresses));
    return {
      faults,
      warnings: sentences(warnings),
      unique: [...named("an EgressIP object", "objectName", known), ...addresses],
    };
  },
  create: EgressIP,
  outputsOf: (made) => ({ egressAddresses: pulumi.output(eachOf(made, ({ addresses }) => addresses)) }),
});

const egressRouters = partWithEntries({
  part: LandingZonePart.EgressRouters,
  target: PartTarget.HostedCluster,
  plain: PLAIN_EGRESS_ROUTER_INPUTS,
  argsOf: ({ topology }, key, settings: EgressRouterSettings): EgressRouterArgs => ({
    objectName: key,
    ...settings,
    topology,
  }),
  judge: (known) => {
    const inputs = known as EgressRouterInputs;
    const { form, faults, warnings } = judgeEgressRouter(inputs);
    // The Cluster Network Operator uses fixed names for what it creates from an EgressRouter object.
    const one = form === EgressRouterForm.CustomResource ? named("an egress router", "namespace", known) : [];
    const addresses = addressesTaken("address", routerAddresses(inputs));
    return { faults, warnings: sentences(warnings), unique: [...one, ...addresses] };
  },
  create: EgressRouter,
  outputsOf: (made) => ({
    egressRouters: pulumi.output(
      eachOf(made, ({ serviceHost, sourceAddress, platformSetup }) => ({
        serviceHost,
        sourceAddress,
        platformSetup,
      })),
    ),
  }),
});

const multicastNamespaces = partWithEntries({
  part: LandingZonePart.MulticastNamespaces,
  target: PartTarget.HostedCluster,
  valued: true,
  argsOf: (_, __, namespace: pulumi.Input<string>): MulticastNamespaceArgs => ({ namespace }),
  judge: (known) => {
    const atEntry = <Placed extends { path: string }>(finding: Placed) => ({ ...finding, path: "" });
    return {
      faults: multicastFaults(known).map(atEntry),
      warnings: [],
      unique: named("multicast settings", "namespace", known).map(atEntry),
    };
  },
  create: MulticastNamespace,
  outputsOf: () => ({}),
});

/** The unique entry that an input claims by name. */
function named(what: string, path: string, known: PropertyMap): UniqueEntry[] {
  const value = known[path];
  return typeof value === "string" ? [{ what, path, value }] : [];
}

const addressesTaken = (path: string, addresses: readonly string[]): UniqueEntry[] =>
  addresses.map((value) => ({ what: "a user outside the cluster network", path, value }));

const eachOf = <From, To>(made: Readonly<Record<string, From>>, derive: (from: From) => To) =>
  Object.fromEntries(Object.entries(made).map(([key, one]) => [key, derive(one)]));

/** What pods of the hosted cluster may reach, and with which source addresses. */
export const egressParts = [egressFirewalls, egressIps, egressRouters, multicastNamespaces];
