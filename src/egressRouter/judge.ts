import type { Fault } from "../fault";
import { EGRESS_SINCE, egressRouterSupport } from "../requirements/egressSupport";
import { formatRelease } from "../requirements/release";
import { UNKNOWN, type PropertyValue } from "../resources/resource";
import {
  egressCluster,
  isOlder,
  platformFindings,
  type ClusterInputs,
  type EgressCluster,
  type EgressJudgement,
} from "../objects/egressCluster";
import {
  addressProblem,
  type AddressSpace,
  addressSpace,
  addressSpaceInputs,
  type AddressSpaceInputs,
} from "../objects/nodes";
import { entriesOf, type Found, isGiven, isMap, propertyOf, type Place } from "../resources/read";
import { labelNameFaults, shownText } from "../objects/places";
import {
  asInput,
  type Fields,
  inputFaults,
  labelName,
  labels,
  leaf,
  needed,
  object,
  plainSwitch,
  text,
  word,
} from "../objects/shape";
import type { ObjectForm } from "../requirements/hostedCluster/forms";
import { EgressRouterForm, EgressRouterWorkload, MacvlanMode, OPERATOR_NAMES } from "./egressRouter";
import { gatewayFaults, interfaceAddressFaults, needsSetup, parseInterfaceAddress } from "./surroundings";
import { redirectFaults, servicePortFaults, type RedirectInputs } from "./redirects";

/** The inputs of an egress router, to the extent known. */
export interface EgressRouterInputs extends ClusterInputs, AddressSpaceInputs, RedirectInputs {
  namespace?: PropertyValue | undefined;
  objectName?: PropertyValue | undefined;
  form?: PropertyValue | undefined;
  gateway?: PropertyValue | undefined;
  macvlan?: PropertyValue | undefined;
  workload?: PropertyValue | undefined;
  image?: PropertyValue | undefined;
  command?: PropertyValue | undefined;
  serviceName?: PropertyValue | undefined;
  acceptUnsupportedPlatform?: PropertyValue | undefined;
  labels?: PropertyValue | undefined;
  annotations?: PropertyValue | undefined;
}

/** The result of judging the inputs of an egress router. */
export interface EgressRouterJudgement extends EgressJudgement {
  /** The form of the router: as stated, else the default of the release. */
  form: EgressRouterForm;
}

/** The source address of the router, if known: a list of at most one. */
export function routerAddresses({
  address,
}: AddressSpaceInputs & { address?: PropertyValue | undefined }): string[] {
  const read = parseInterfaceAddress(address);
  return read.problem === undefined ? [read.address.text] : [];
}

/** An interface name that the kernel accepts and that does not break the operator's configuration text. */
const interfaceName: ObjectForm = {
  matches: (text) => /^[A-Za-z0-9][A-Za-z0-9_.@-]{0,14}$/.test(text),
  name: "the name of an interface",
  remedy: "write the interface of the nodes, such as eth1 or bond0.100",
};
const serviceName = leaf(serviceNameFaults);
const forms = Object.values(EgressRouterForm);

/** The shape of each input by itself. */
const INPUTS: Fields = {
  namespace: needed(labelName, "write the name of the namespace"),
  objectName: needed(serviceName, "write the name of the router"),
  serviceName,
  form: word(forms),
  workload: word(Object.values(EgressRouterWorkload)),
  macvlan: object({ mode: word(Object.values(MacvlanMode)), master: text({ form: interfaceName }) }),
  ...addressSpaceInputs,
  acceptUnsupportedPlatform: plainSwitch,
  labels,
};

/**
 * Applies every rule to the inputs of one egress router. Other routers are checked elsewhere.
 *
 * @param nameOf maps an input of the component to its path in an object
 */
export function judgeEgressRouter(inputs: EgressRouterInputs, nameOf = asInput): EgressRouterJudgement {
  const cluster = egressCluster(inputs);
  const form = formOf(inputs, cluster);
  const gate = { feature: "egress routers", support: egressRouterSupport };
  const accepted = inputs.acceptUnsupportedPlatform;
  const platform = platformFindings(gate, cluster, { platform: inputs.platform, accepted });
  const address: Place = { path: nameOf("address"), value: inputs.address };
  const faults = [
    ...inputFaults(INPUTS, inputs, nameOf),
    ...formFaults(inputs, cluster, form),
    ...ownAddressFaults(address, inputs, addressSpace(inputs, cluster, nameOf)),
    ...gatewayFaults({ path: nameOf("gateway"), value: inputs.gateway }, address),
    ...redirectFaults(inputs, nameOf),
    ...servicePortFaults(inputs),
    ...platform.faults,
    ...cluster.faults,
  ];
  return { cluster, form, faults, warnings: [...platform.warnings, ...warningsOf(inputs, cluster, form)] };
}

function formOf({ form }: EgressRouterInputs, { release }: EgressCluster): EgressRouterForm {
  const stated = forms.find((word) => word === form);
  const older = isOlder(release, EGRESS_SINCE.egressRouterObject);
  return stated ?? (older ? EgressRouterForm.NetworkAttachment : EgressRouterForm.CustomResource);
}

/** Inputs only for routers whose pod this package creates. */
const OF_NETWORK_ATTACHMENT = ["workload", "image", "command"] as const;

function formFaults(inputs: EgressRouterInputs, cluster: EgressCluster, form: EgressRouterForm): Fault[] {
  if (isGiven(inputs.form) && inputs.form !== form) return [];
  return form === EgressRouterForm.CustomResource
    ? customResourceFaults(inputs, cluster)
    : networkAttachmentFaults(inputs, cluster);
}

function customResourceFaults(inputs: EgressRouterInputs, { release }: EgressCluster): Fault[] {
  const { egressRouterObject } = EGRESS_SINCE;
  const since = formatRelease(egressRouterObject.release);
  const tooOld = isOlder(release, egressRouterObject)
    ? [
        {
          path: "form",
          problem: `EgressRouter objects need release ${since} or newer, and this is ${formatRelease(release!)}`,
          remedy: `write ${EgressRouterForm.NetworkAttachment}, or leave it out`,
        },
      ]
    : [];
  const unused = OF_NETWORK_ATTACHMENT.filter((input) => isGiven(inputs[input])).map((input) => ({
    path: input,
    problem: "has no effect: the Cluster Network Operator creates the pod of an EgressRouter object",
    remedy: `remove it, or write form: ${EgressRouterForm.NetworkAttachment}`,
  }));
  return [...tooOld, ...unused];
}

/** This form requires a release, because the plug-in of each release reads destinations differently. */
function networkAttachmentFaults(inputs: EgressRouterInputs, { release, faults }: EgressCluster): Fault[] {
  if (!release) {
    const stated = faults.length > 0 || inputs.release === UNKNOWN;
    const problem = "missing: the plug-in of 4.7 reads destinations differently from later ones";
    return stated ? [] : [{ path: "release", problem, remedy: "write the release of the cluster" }];
  }
  if (!isOlder(release, EGRESS_SINCE.egressRouterDestinations)) return [];
  const remedy = "write fallbackIp, to which every connection then goes on its own port";
  return entriesOf(inputs.redirectRules).length === 0
    ? []
    : [
        {
          path: "redirectRules",
          problem: `the plug-in of release ${formatRelease(release)} reads one address and no ports`,
          remedy,
        },
      ];
}

/** The router's address must be in the network of the nodes, unless it is on another interface of theirs. */
function ownAddressFaults(
  place: Place,
  { macvlan }: EgressRouterInputs,
  { nodeSubnets, ...space }: AddressSpace,
): Fault[] {
  const faults = interfaceAddressFaults(place);
  const read = parseInterfaceAddress(place.value);
  if (read.problem !== undefined || faults.length > 0) return faults;
  const elsewhere = macvlan === UNKNOWN || isGiven(propertyOf(macvlan, "master"));
  const unfit = addressProblem(read.address, { ...space, ...(!elsewhere && nodeSubnets && { nodeSubnets }) });
  return unfit ? [{ path: place.path, ...unfit }] : [];
}

function serviceNameFaults(place: Found): Fault[] {
  const { path, value } = place;
  const faults = labelNameFaults(place);
  if (faults.length > 0 || typeof value !== "string" || /^[a-z]/.test(value)) return faults;
  const problem = `${shownText(value)} is not a Service name`;
  return [{ path, problem, remedy: "write a name that begins with a letter" }];
}

function warningsOf(inputs: EgressRouterInputs, cluster: EgressCluster, form: EgressRouterForm): Fault[] {
  const { platform, release } = cluster;
  const warnings: Fault[] = [];
  if (needsSetup(platform))
    warnings.push({
      path: isGiven(inputs.platform) ? "platform" : "topology.platform",
      problem: `${platform} drops the router's frames until it is configured to allow them`,
      remedy: "follow the output platformSetup",
    });
  const { mode, master } = isMap(inputs.macvlan) ? inputs.macvlan : {};
  const ofOperator = form === EgressRouterForm.CustomResource;
  if (ofOperator && (isGiven(master) || (isGiven(mode) && mode !== MacvlanMode.Bridge)))
    warnings.push({
      path: "macvlan",
      problem: "has no effect with Cluster Network Operators that lack the fix of OCPBUGS-98724",
      remedy: `check what the object ${OPERATOR_NAMES.networkAttachment} contains afterwards, or use form ${EgressRouterForm.NetworkAttachment}`,
    });
  if (!ofOperator && release && !isOlder(release, EGRESS_SINCE.egressRouterObject))
    warnings.push({
      path: "form",
      problem: `${EgressRouterForm.NetworkAttachment} is a Technology Preview, and release ${formatRelease(release)} has EgressRouter objects`,
      remedy: `leave it out, unless the router needs what ${EgressRouterForm.CustomResource} lacks`,
    });
  return warnings;
}
