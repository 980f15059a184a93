import { judgeHybridOverlay } from "../../networkOperator/hybridOverlay";
import { judgeIpsec } from "../../networkOperator/ipsec";
import { HybridOverlayNetwork } from "../../networkOperator/component/hybridOverlayNetwork";
import type { HybridOverlayNetworkArgs } from "../../networkOperator/component/hybridOverlayNetworkArgs";
import { IpsecEncryption } from "../../networkOperator/component/ipsecEncryption";
import type { IpsecEncryptionArgs } from "../../networkOperator/component/ipsecEncryptionArgs";
import { PLAIN_OPERATOR_INPUTS } from "../../networkOperator/component/networkOperatorPatch";
import { sentences } from "../../components/checked";
import { LandingZonePart } from "../hostedClusterLandingZoneArgs";
import { Home, given, partWithSettings } from "./part";

/** The configuration is one object, which takes one patch: with IPsec, the overlay network goes into its patch. */
const hybridOverlay = partWithSettings({
  part: LandingZonePart.HybridOverlay,
  home: Home.HostedCluster,
  plain: PLAIN_OPERATOR_INPUTS,
  argsOf: ({ args, made }): HybridOverlayNetworkArgs => ({
    ...(args.hybridOverlay as HybridOverlayNetworkArgs),
    topology: args.topology,
    ...(made.has(LandingZonePart.Ipsec) && { fragmentOnly: true }),
  }),
  judge: (known) => {
    // Wherever its patch is made, the cluster is one that runs.
    const { faults, warnings } = judgeHybridOverlay({ ...known, fragmentOnly: false });
    return { faults, warnings: sentences(warnings) };
  },
  create: (name, args, opts) => ({
    networkOperatorFragment: new HybridOverlayNetwork(name, args, opts).fragment,
  }),
});

const ipsec = partWithSettings({
  part: LandingZonePart.Ipsec,
  home: Home.HostedCluster,
  plain: PLAIN_OPERATOR_INPUTS,
  argsOf: ({ args }, { networkOperatorFragment }): IpsecEncryptionArgs => ({
    ...args.ipsec,
    topology: args.topology,
    ...given({ hybridOverlay: networkOperatorFragment }),
  }),
  judge: (known) => {
    const { faults, warnings } = judgeIpsec(known);
    // Whether a cluster takes hybrid networking is said where that is asked for.
    return { faults: faults.filter(({ path }) => path !== "hybridOverlay"), warnings: sentences(warnings) };
  },
  create: (name, args, opts) => {
    const { fragment, nodePorts } = new IpsecEncryption(name, args, opts);
    return { networkOperatorFragment: fragment, ipsecNodePorts: nodePorts };
  },
});

/** Settings of the hosted cluster's own network operator. */
export const networkOperatorParts = [hybridOverlay, ipsec];
