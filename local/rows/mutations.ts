import { cut, entry, type Mutation } from "./mutation";

const rows = (file: string) => `src/requirements/rows/${file}.ts`;
const STUB = "src/manifests/proxy/ignitionStub.ts";
const API_PROXY = "src/topology/proxy/apiProxy.ts";
const INGRESS = "src/manifests/isolation/ingress.ts";
const NODE_TAINTS = "src/manifests/dedicatedNodes/taints.ts";
const NODES = "src/manifests/dedicatedNodes/nodes.ts";
const NODE_FRAGMENTS = "src/manifests/dedicatedNodes/fragments.ts";
const POD_ISOLATION = "src/requirements/podIsolation.ts";
const EGRESS_IP = "src/manifests/egressIp/judge.ts";
const NO_PROXY = "src/manifests/proxy/noProxy.ts";
const SUBNETS = "src/topology/normalize/ovnSubnets.ts";
const HYBRID = "src/manifests/networkOperator/hybridOverlay.ts";
const IPSEC = "src/manifests/networkOperator/ipsec.ts";
const TRAFFIC = "src/requirements/trafficPolicies.ts";
const PROBES = "src/manifests/probes/objects.ts";
const VERIFICATION = "src/components/kubernetes/ovnSubnetVerification.ts";
const MIGRATION = "src/manifests/migration";
const WARNINGS = "src/manifests/proxy/warnings.ts";
const DRIFT = "src/resources/drift";
const EC2 = "src/live/ec2";
const TRANSIT = "src/resources/transitGateways.ts";

/** Stands for what a row lacks: it fails to apply. */
export const nothingToTakeOut = cut(
  "local/rows/mutations.ts",
  "anything: there is nothing for it in the list",
  "",
);

/** What each row of requirements.md stands on. So is, without being a row, how a plan and what runs differ. Every entry is taken out in turn by `npm run prove-rows`. */
export const mutations: Readonly<Record<string, readonly Mutation[]>> = {
  M1: [
    entry(rows("apiServer"), "cp-in-kas"),
    entry(rows("apiServer"), "cp-in-kas-azure"),
    entry(rows("apiServer"), "cp-in-kas-ibm"),
    entry(rows("capi"), "cp-in-capi-aws"),
    entry(rows("capi"), "cp-in-capi-kubevirt"),
    entry(rows("capi"), "cp-in-capi-openstack"),
    entry(rows("capi"), "cp-in-capi-powervs"),
    entry(rows("capi"), "cp-in-agent-capi-health"),
    cut(
      rows("capi"),
      "that Agent's metrics listen on localhost alone",
      "    sources: [Zone.Localhost],\n    openInFirewall: false,",
      "    portSeenAt: undefined,",
    ),
    entry(rows("capi"), "cp-in-orc"),
    entry(rows("ignition"), "cp-in-ignproxy-agent"),
    entry(rows("ignition"), "cp-in-ignproxy-none"),
    cut(
      rows("ignition"),
      "that IBM Cloud has no ignition proxy",
      "      Platform.PowerVS,",
      "      Platform.IBMCloud,",
    ),
  ],
  M2: [
    entry(rows("router"), "cp-in-route-443"),
    entry(rows("ignition"), "cp-in-ign-9090"),
    entry(rows("ignition"), "cp-in-ignproxy-nodeport"),
    entry(rows("konnectivity"), "cp-in-konn-nodeport"),
    entry(rows("konnectivity"), "cp-in-konn-lb"),
    entry("src/requirements/publishing.ts", "HyperShift publishes ignition by Route or NodePort only"),
    entry("src/requirements/publishing.ts", "HyperShift gives OAuth a load balancer on Azure only"),
    entry("src/requirements/publishing.ts", "on Azure konnectivity is published by Route"),
    entry("src/requirements/publishing.ts", "on Azure ignition is published by Route"),
    entry("src/requirements/publishing.ts", "node ports do not lead through the private endpoint"),
    cut(
      "src/requirements/publishing.ts",
      "the refusals of NodePort and LoadBalancer on AWS",
      "platforms: [Platform.AWS],\n    refused: service === Service.Konnectivity",
      "platforms: [],\n    refused: service === Service.Konnectivity",
    ),
    cut(
      "src/requirements/platforms.ts",
      "NodePort as the default of Agent and None",
      "new Set([Platform.Agent, Platform.None])",
      "new Set()",
    ),
    cut(
      "src/flows/required/controlPlane.ts",
      "the pinned node ports at the hop",
      "...pinnedNodePorts(topology), ",
    ),
    cut(
      "src/flows/required/controlPlane.ts",
      "the node-port range at the hop",
      "...unpinnedNodePorts(topology), ",
    ),
    cut(
      "src/flows/required/controlPlane.ts",
      "the ports behind load balancers at the hop",
      "...behindLoadBalancers(topology)",
    ),
  ],
  M3: [
    entry(rows("router"), "cp-in-private-router-http"),
    entry(rows("router"), "cp-in-private-router-https"),
    cut(
      "src/flows/required/workers.ts",
      "443 at the endpoint",
      '  { key: "endpoint-router", row: requirementOf("up-aws-vpce-443") },\n',
    ),
    cut(
      "src/flows/required/workers.ts",
      "6443 at the endpoint",
      '  { key: "endpoint-kube-apiserver", row: requirementOf("up-aws-vpce-6443") },\n',
    ),
  ],
  M4: [
    entry(rows("egress"), "cp-out-443"),
    entry(rows("egress"), "cp-out-6443"),
    entry(rows("egress"), "cp-out-dns-tcp"),
    entry(rows("egress"), "cp-out-dns-udp"),
    entry(rows("egress"), "wk-out-443"),
    entry(rows("egress"), "wk-out-dns-tcp"),
    entry(rows("egress"), "wk-out-dns-udp"),
    entry(rows("apiServer"), "wk-out-kas"),
    entry(rows("apiServer"), "wk-out-kas-azure"),
    entry(rows("apiServer"), "wk-out-kas-ibm"),
    entry(rows("konnectivity"), "wk-out-konn"),
    entry(rows("ignition"), "wk-out-ignproxy"),
  ],
  M5: [
    cut(
      rows("konnectivity"),
      "that 8091 is for workers alone",
      "sources: [Zone.Workers],\n  publicAllowed: false,\n  tls: true,\n  upstreamRejects",
      "sources: [Zone.Workers],\n  publicAllowed: true,\n  tls: true,\n  upstreamRejects",
    ),
    cut(
      rows("ignition"),
      "that 8443 and 9090 are for workers alone",
      "  publicAllowed: false,",
      "  publicAllowed: true,",
    ),
    cut(
      rows("ignition"),
      "that ignition belongs to the bootstrap",
      "  phase: Phase.Bootstrap,\n  tls: true,",
      "  phase: Phase.Always,\n  tls: true,",
    ),
    cut(
      rows("router"),
      "that the router's 443 may be public",
      "sources: [Zone.Workers, Zone.ExternalClients],\n    publicAllowed: true,\n    tls: true,",
      "sources: [Zone.Workers, Zone.ExternalClients],\n    publicAllowed: false,\n    tls: true,",
    ),
    cut(rows("capi"), "that Agent's metrics are never opened", "    openInFirewall: false,\n"),
  ],
  M6: [
    cut(SUBNETS, "the room for every node", "    demandRoom(findings, property, prefix, clusterNetwork);\n"),
    cut(SUBNETS, "the release", "    demandRelease(findings, property, raw.release, release);\n"),
    cut(SUBNETS, "the masks /0 to /30", "    maxLength: { [family]: longest },\n"),
    cut(SUBNETS, "the family", "    families: [family],\n"),
    cut(SUBNETS, "that only OVN-Kubernetes has them", "networkType !== NetworkType.OVNKubernetes", "false"),
    cut(
      SUBNETS,
      "that KubeVirt has no join subnet",
      "raw[property] && refused?.platform === platform",
      "false",
    ),
    cut(SUBNETS, "the first octet", "prefix.start >> 24n === 0n", "false"),
    entry("src/requirements/implicitRanges.ts", "ovn-transit-switch"),
    entry("src/requirements/implicitRanges.ts", "ovn-user-defined-join"),
    entry("src/requirements/implicitRanges.ts", "ovn-masquerade"),
    cut(
      "src/requirements/implicitRanges.ts",
      "172.20.0.1, at which nodes reach the API server",
      `cidr: "172.20.0.1/32",`,
      `cidr: "192.0.2.1/32",`,
    ),
  ],
  M7: [
    cut(PROBES, "that the pods are on different nodes", '      affinity: apart(frame, "server"),\n'),
    cut(
      "src/manifests/probes/frame.ts",
      "that pods keep to the Pod Security Standard",
      '{ drop: ["ALL"] }',
      "{ drop: [] }",
    ),
    cut(PROBES, "both families of the Service", '"PreferDualStack"', '"SingleStack"'),
    cut(
      VERIFICATION,
      "that pods are asked",
      "        ...statuses.map((status, index) => ({",
      "        ...[].map((status: never, index) => ({",
    ),
    cut(VERIFICATION, "that the Service is asked", 'id: "pod-to-service"', 'id: "pod"'),
    cut(
      "src/components/kubernetes/ovnSubnetVerificationObjects.ts",
      "that a Job that failed is repeated",
      '      "pulumi.com/replaceUnready": "true",\n',
    ),
    cut("src/manifests/probes/scripts.ts", "that the result decides", "sys.exit(1 if", "sys.exit(0 if"),
    cut(
      "src/live/probes/inPlace.ts",
      "that the probes are removed",
      "return [...checks, ...(place ? await cleared(cluster, place, source) : [])]",
      "return checks",
    ),
    cut(
      "src/cluster/ovnRollOut/daemonSet.ts",
      "that an old roll-out does not pass",
      "generation <= since",
      "generation < since",
    ),
    cut(
      "src/cluster/ovnRollOut/nodes.ts",
      "that nodes elsewhere fail",
      "elsewhere.length > 0\n      ? LiveStatus.Failed",
      "elsewhere.length < 0\n      ? LiveStatus.Failed",
    ),
    cut(
      "src/cluster/ovnRollOut/rollOutChecks.ts",
      "that the roll-out is a newer one than before the change",
      "rollOutCheck(await hosted.get(ROLL_OUT_PATH), since)",
      "rollOutCheck(await hosted.get(ROLL_OUT_PATH), undefined)",
    ),
    cut(
      "src/cluster/cluster.ts",
      "that a server that is busy says when it wants to be asked again",
      "...(wait !== undefined && { wait })",
    ),
    cut("src/cluster/unlessBusy.ts", "that nobody is asked for ever", " || turn === TURNS", ""),
    cut(
      "src/cluster/unlessBusy.ts",
      "that nobody waits for long without a word",
      "seconds <= LONGEST",
      "seconds <= 86_400",
    ),
    cut(
      "src/live/probes/place.ts",
      "that a namespace is looked for whose making was left open",
      "mayAnswerLater(error.status)) await removeMade(cluster, name);",
      "mayAnswerLater(error.status)) return Promise.reject(error);",
    ),
    cut(
      "src/live/probes/place.ts",
      "that a namespace of somebody else stays",
      "if (made && isOurs(made))",
      "if (made)",
    ),
    cut(
      "src/cli/verifyCommand.ts",
      "that the end of the time is said",
      "if (asked.timeout > 0 && isOver)",
      "if (asked.timeout < 0 && isOver)",
    ),
    cut(
      "src/cli/verifyCommand.ts",
      "that a look without a time is not called late",
      "if (asked.timeout > 0 && isOver)",
      "if (isOver)",
    ),
    cut(
      "src/cluster/interruptible.ts",
      "that a pause ends at Ctrl-C",
      "await sleepUntil(time, undefined, { signal })",
      "await sleepUntil(time)",
    ),
    cut(
      "src/cluster/interruptible.ts",
      "that an answer is not waited for after Ctrl-C",
      "Promise.race([run(sleep), interruption])",
      "run(sleep)",
    ),
  ],
  M8: [
    cut(
      NO_PROXY,
      "the cluster network",
      "    ...topology.clusterNetwork.map(({ prefix }) => prefix.text),\n",
    ),
    cut(NO_PROXY, "the service network", "    ...topology.serviceNetwork.map(({ text }) => text),\n"),
    cut(NO_PROXY, "the machine network", "[...common, ...machines, ", "[...common, "),
    cut(
      NO_PROXY,
      "the address of the metadata",
      "    ...(platform === Platform.AWS || platform === Platform.Azure ? [METADATA] : []),\n",
    ),
    cut(
      NO_PROXY,
      "the domain of the instances",
      "    ...(platform === Platform.AWS && region !== undefined ? [instanceDomain(region)] : []),\n",
    ),
    cut(WARNINGS, "the warning about port 53", "    ...dnsWarning(surroundings),\n"),
    cut(WARNINGS, "the warning about zero compute nodes", "    ...noNodesWarning(surroundings),\n"),
    entry("src/requirements/proxiedWorkloads.ts", "control-plane-operator"),
    entry("src/requirements/proxiedWorkloads.ts", "oauth-openshift"),
    entry("src/requirements/proxiedWorkloads.ts", "openshift-apiserver"),
    entry("src/requirements/proxiedWorkloads.ts", "ingress-operator"),
    cut(
      "src/manifests/proxy/judge.ts",
      "the check of the trust bundle",
      "      ...trustBundleFaults(certificates),\n",
    ),
  ],
  M9: [
    cut("src/requirements/proxyFacts.ts", "the version of Ignition", '"3.2.0"', '"3.1.0"'),
    cut(STUB, "noProxy as a list", "noProxy: [...noProxy],", "noProxy: [noProxy.join()],"),
    cut(STUB, "the proxy for HTTPS", "        ...(httpsProxy && { httpsProxy }),\n"),
  ],
  M10: [
    cut(API_PROXY, "that a proxy for HTTP does not count", "!inputs.httpsProxy", "false"),
    cut(API_PROXY, "that private access needs no proxy", "!reachedOverInternet(topology)", "false"),
    cut(API_PROXY, "the word kubernetes", 'entry.includes("kubernetes")', 'entry === "kubernetes"'),
    cut(API_PROXY, "the service network", "entry === serviceNetwork[0]?.text", "false"),
    cut(API_PROXY, "the cluster network", "entry === clusterNetwork[0]?.prefix.text", "false"),
  ],
  M11: [
    entry("src/manifests/managementProxy/deployments.ts", "control-plane-operator"),
    entry("src/manifests/managementProxy/deployments.ts", "ignition-server"),
    cut(
      "src/manifests/managementProxy/deployments.ts",
      "the networks that the API server reaches without the proxy",
      "...(name === API_SERVER ? networks : [])",
    ),
    cut(
      "src/manifests/managementProxy/noProxy.ts",
      "the entries that are appended",
      "{ wanted: entries, ours: [] }",
      "{ wanted: [], ours: [] }",
    ),
    cut(
      "src/manifests/managementProxy/judge.ts",
      "the warning about nodes that roll",
      ", ...changeWarnings(inputs)",
    ),
    cut(
      "src/runBook/steps/managementProxy.ts",
      "that the step is for nodes on a secondary network alone",
      "pools.some(({ resource }) => isSecondaryAlone(resource))",
      "pools.length > 0",
    ),
  ],
  M12: [
    cut(INGRESS, "the denial of ingress", "return [denyIngress, ...allowances", "return [...allowances"),
    entry(INGRESS, "same-namespace"),
    entry(INGRESS, "monitoring"),
    cut(INGRESS, "6443 to the API server", 'rows: ["iso-kas"],', 'rows: ["cp-in-kas-ibm"],'),
    cut(
      "src/manifests/isolation/plan.ts",
      "that an egress deny is opt-in",
      "...(denyEgress ? egressPolicies",
      "...(true as boolean ? egressPolicies",
    ),
    cut(
      "src/manifests/isolation/cutOff.ts",
      "the proof that required flows stay",
      "required.map((flow) => cutOf(policies, flow, namespace))",
      "required.map((flow) => cutOf([], flow, namespace))",
    ),
    cut(
      "src/requirements/dedicatedNodes.ts",
      "the key that HyperShift tolerates",
      'cluster: "hypershift.openshift.io/cluster"',
      'cluster: "hypershift.openshift.io/hosted"',
    ),
    entry("src/requirements/dedicatedNodes.ts", "true", "the taint of control planes in general"),
    cut(
      NODE_FRAGMENTS,
      "the label that the documents name",
      "  [NODE_KEY.documented]: controlPlaneNamespace,\n",
    ),
    cut(
      NODE_TAINTS,
      "that the control plane tolerates the taints of its nodes",
      "tolerated.some((toleration) => tolerates(toleration, taint))",
      "tolerated.length > 0",
    ),
    cut(
      NODES,
      "that no node is for two hosted clusters",
      "other.nodes.some((node) => node.name === name)",
      "false",
    ),
    cut(
      NODES,
      "that physical isolation shares no machine",
      "every(({ level }) => level === NodeIsolationLevel.VirtualMachine)",
      "every(() => true)",
    ),
    cut(
      NODES,
      "the nodes that replicas need",
      "const short = count < nodesNeeded[policy]",
      "const short = count < 1",
    ),
    cut(
      "src/components/kubernetes/dedicatedNodeResources.ts",
      "that taints are shared with others",
      "if (manageTaints !== true) return [];",
      "if (manageTaints !== undefined) return [];",
    ),
    cut(
      "src/components/kubernetes/dedicatedControlPlaneNodes.ts",
      "that nodes are ready before the node selector needs them",
      "gated(parent, check, [...labelled, ...tainted])",
      "gated(parent, check)",
    ),
    cut(
      "src/manifests/dedicatedNodes/virtualMachines.ts",
      "that virtual machines tolerate no taint",
      "    ...taintedFaults(`${path}.nodeSelector`, nodeSelector),\n",
    ),
    cut(
      NODE_FRAGMENTS,
      "where virtual machines run",
      "  ...(options.hostSelector && virtualMachineFragment(options.hostSelector)),\n",
    ),
  ],
  M13: [
    ...[
      ...["pod-privileged", "pod-host-path", "pod-host-network", "pod-host-port"],
      ...["pod-host-pid", "pod-user", "pod-selinux", "pod-capabilities"],
    ].map((id) => entry(POD_ISOLATION, id)),
    cut(POD_ISOLATION, "KILL among the dropped capabilities", '["KILL", ', "["),
    entry(POD_ISOLATION, "crio"),
    cut(
      "src/components/kubernetes/controlPlaneIsolation.ts",
      "the report of the constraints",
      "podConstraints.map(constraintRow)",
      "[]",
    ),
    entry(POD_ISOLATION, "pod-security.kubernetes.io/enforce"),
    cut(POD_ISOLATION, "the override annotation", "pod-security-admission-label-override", "pod-security"),
  ],
  M14: [
    entry(INGRESS, "operators"),
    cut(
      INGRESS,
      "konnectivity from workers",
      '    rows: ["cp-in-konn-nodeport", "cp-in-konn-lb"],',
      "    rows: [],\n    when: () => false,",
    ),
  ],
  M15: [
    cut(
      "src/requirements/limits.ts",
      "the limit of 8,000 rules",
      "egressFirewallRules: 8000",
      "egressFirewallRules: 80000",
    ),
    cut(
      "src/resources/egressFirewallRules.ts",
      "the name of the object",
      'EGRESS_FIREWALL_NAME = "default"',
      'EGRESS_FIREWALL_NAME = "firewall"',
    ),
    cut(
      "src/manifests/egressFirewall/judge.ts",
      "the rules on each rule",
      '    ...egressRuleFaults({ path: "rules", value: inputs.rules }, views, added),\n',
    ),
    cut(
      "src/manifests/egressFirewall/judge.ts",
      "the API that stays reachable",
      "faults: [...faults, ...cutOff]",
      "faults: [...faults]",
    ),
    cut(
      "src/manifests/egressFirewall/egressFirewall.ts",
      "DNS names",
      "    ...(isGiven(dnsName) && { dnsName }),\n",
    ),
  ],
  M16: [
    cut(
      EGRESS_IP,
      "the rules on addresses",
      '    ...addressesFaults({ path: "addresses", value: inputs.addresses }, inputs, cluster),\n',
    ),
    cut(EGRESS_IP, "the rules on selectors", "    ...selectorFaults(inputs),\n"),
    cut(EGRESS_IP, "no more addresses than nodes", "    ...nodeCountFaults(inputs),\n"),
    cut(EGRESS_IP, "the platforms", "    ...platform.faults,\n"),
    cut(
      "src/components/kubernetes/egressIp.ts",
      "the label before the object",
      "gated(this, check, labelled)",
      "gated(this, check)",
    ),
    cut(
      "src/components/kubernetes/egressIp.ts",
      "that objects do not overlap",
      "      ...clashes(this, subject, known).faults,\n",
    ),
  ],
  M17: [
    cut("src/manifests/egressRouter/networkAttachment.ts", "the version of CNI", '"0.4.0"', '"0.3.1"'),
    cut(
      "src/manifests/egressRouter/networkAttachment.ts",
      "the fallback address",
      "...(isGiven(fallbackIp) ? [fallbackIp] : [])",
    ),
    cut("src/manifests/egressRouter/judge.ts", "the platforms", "    ...platform.faults,\n"),
    cut(
      "src/manifests/egressRouter/judge.ts",
      "the rules on redirections",
      "    ...redirectFaults(inputs),\n",
    ),
    cut(
      "src/manifests/egressRouter/judge.ts",
      "the form of older releases",
      "older ? EgressRouterForm.NetworkAttachment : ",
      "false as boolean ? EgressRouterForm.NetworkAttachment : ",
    ),
    cut(
      "src/live/egressRouter/podChecks.ts",
      "the address of the second interface",
      "return has ? passed(words(own)) : failed(words(own))",
      "return has || own.length > 0 ? passed(words(own)) : failed(words(own))",
    ),
  ],
  M18: [
    cut(
      "src/manifests/multicast.ts",
      "the annotation",
      "k8s.ovn.org/multicast-enabled",
      "k8s.ovn.org/multicast",
    ),
    cut("src/components/kubernetes/multicastNamespace.ts", "turning it off", "if (enabled !== false) {", "{"),
    cut("src/manifests/multicast.ts", "the receiver of the verification", "UDP4-RECVFROM", "UDP4-LISTEN"),
    cut(
      "src/manifests/probes/multicastScripts.ts",
      "that the receiver joins the group",
      "            connection.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, member)\n",
    ),
  ],
  M19: [
    cut(
      HYBRID,
      "the conflicts with other ranges",
      "ranges.filter((range) => overlap(range.prefix, prefix))",
      "[]",
    ),
    cut(HYBRID, "the one entry", "value.length !== 1", "value.length === 0"),
    cut(HYBRID, "the platform of the VXLAN port", ", ...vxlanPortPlatformFaults(platform)"),
    entry("src/requirements/hybridOverlay.ts", "the port of VXLAN that holds without a custom one", "4789"),
    cut(
      "src/requirements/hybridOverlay.ts",
      "that Windows Server 2019 has no VXLAN port of its own",
      "versions: [WindowsServerVersion.Server2019]",
      "versions: []",
    ),
    cut(
      "src/requirements/hybridOverlay.ts",
      "the releases with it at installation alone",
      "runningCluster: since(4, 13, ",
      "runningCluster: since(4, 0, ",
    ),
    cut(
      "src/manifests/networkOperator/surroundingRanges.ts",
      "the networks of the installer",
      "installerNetworks[network]",
      "undefined",
    ),
    cut(
      "src/components/settledInputs.ts",
      "that an input that is set cannot change",
      "!isDeepStrictEqual(before, after)",
      "false",
    ),
  ],
  M20: [
    cut(
      IPSEC,
      "the releases with IPsec at installation alone",
      'cluster, "mode", ',
      '{ ...cluster, running: false }, "mode", ',
    ),
    cut(IPSEC, "the releases without modes", "mode !== IpsecMode.Full && isOlder", "false && isOlder"),
    entry("src/requirements/ipsec.ts", "ipsec-pods-of-different-nodes"),
    entry("src/requirements/ipsec.ts", "ipsec-host-network-to-pod"),
    entry("src/requirements/ipsec.ts", "ipsec-pods-of-one-node"),
    entry("src/requirements/ipsec.ts", "ipsec-between-host-networks"),
    entry("src/requirements/ipsec.ts", "ipsec-pod-to-host-network"),
    entry("src/requirements/ipsec.ts", "ipsec-cipher"),
    entry("src/requirements/ipsec.ts", "ipsec-certificate-authority"),
    entry("src/requirements/ipsec.ts", "ipsec-node-certificates"),
    entry("src/requirements/ipsec.ts", "ipsec-ike"),
    entry("src/requirements/ipsec.ts", "ipsec-nat"),
    entry("src/requirements/ipsec.ts", "ipsec-esp"),
  ],
  M21: [
    cut(
      `${MIGRATION}/support.ts`,
      "that other releases are refused",
      "compareReleases(release, MIGRATION_RELEASE.release) === 0",
      "release",
    ),
    cut(
      `${MIGRATION}/support.ts`,
      "that an upgrade under way is refused",
      "  cluster.isUpgrading\n    ?",
      "  (false as boolean)\n    ?",
    ),
    cut(
      `${MIGRATION}/support.ts`,
      "the platforms",
      "!migrationPlatforms.platforms.some((one) => one === platform)",
      "platform === undefined",
    ),
    cut(
      `${MIGRATION}/support.ts`,
      "that user-provisioned machines are refused",
      "isControlPlane && !isMachine",
      "isControlPlane && isMachine && false",
    ),
    cut(
      `${MIGRATION}/support.ts`,
      "the modes that cannot migrate",
      ' || mode === "" || mode === MIGRATED_SDN_MODE.mode',
      " || mode",
    ),
    cut(
      `${MIGRATION}/support.ts`,
      "that backups come first",
      "backupsTaken === true",
      "backupsTaken !== null",
    ),
    cut(
      `${MIGRATION}/translations.ts`,
      "EgressNetworkPolicies, which somebody has to write anew",
      "...egressNetworkPolicies.map",
      "...egressNetworkPolicies.slice(0, 0).map",
    ),
    cut(`${MIGRATION}/translations.ts`, "multicast of projects", "      ...multicast(object),\n"),
    cut(
      `${MIGRATION}/translations.ts`,
      "addresses of HostSubnets",
      "...hostSubnets.flatMap",
      "...hostSubnets.slice(0, 0).flatMap",
    ),
    cut(
      `${MIGRATION}/health.ts`,
      "that operators are available",
      "!available || degraded)",
      "!available && degraded)",
    ),
    cut(`${MIGRATION}/health.ts`, "that pools have their configuration", "!updated)", "!updated && false)"),
    cut(
      `${MIGRATION}/network.ts`,
      "that the MTU is that of the smallest node",
      "wishes.smallestNodeMtu !== undefined",
      "wishes.smallestNodeMtu === null",
    ),
    cut(
      `${MIGRATION}/network.ts`,
      "the range that OVN-Kubernetes takes for itself",
      "      ...ranges(join.name, [join.cidr]),\n",
    ),
    cut(
      `${MIGRATION}/network.ts`,
      "that both overlays have ports of their own",
      "geneve !== vxlan",
      "geneve",
    ),
    cut(
      `${MIGRATION}/patches.ts`,
      "that nothing is written on what somebody else wrote since",
      "body: { metadata: { ...metadata, resourceVersion }, ...rest },",
      "body: { metadata: { ...metadata }, ...rest },",
    ),
    cut(
      `${MIGRATION}/patches.ts`,
      "the note of what the type was changed with",
      '"change the type in", record, spec',
      '"change the type in", {}, spec',
    ),
    cut(
      `${MIGRATION}/cluster.ts`,
      "that an earlier state of a pool says nothing of this one",
      "configuration === machinesHave &&",
      "",
    ),
  ],
  M24: [
    cut(TRAFFIC, "the release that heeds the external policy", "since(4, 10, ", "since(4, 0, "),
    cut(TRAFFIC, "the release that heeds the internal policy", "    4,\n    11,", "    4,\n    0,"),
    cut("src/rules/index.ts", "the rule", "  serviceTrafficPolicy,\n"),
  ],
  DRIFT: [
    cut(
      `${DRIFT}/differences.ts`,
      "that what the plan does not know is left open",
      "if (!isGiven(planned) || planned === UNKNOWN) return [];",
      "if (!isGiven(planned)) return [];",
    ),
    cut(
      `${DRIFT}/differences.ts`,
      "that a rule states all that it is",
      "isWhole: isWhole || this.rules.has(path)",
      "isWhole",
    ),
    cut(
      `${DRIFT}/differences.ts`,
      "that what a stack keeps secret is not shown from where it runs",
      "holdsUnknown(planned) ? HIDDEN : shown(key, found)",
      "shown(key, found)",
    ),
    cut(
      `${DRIFT}/sameValue.ts`,
      "that an empty selector says something",
      'isSelector(key) || key === "ipsecConfig"',
      'key === "ipsecConfig"',
    ),
    cut(
      `${DRIFT}/stated.ts`,
      "that what the server filled in is not stated",
      "({ inputs, properties }) => inputs ?? properties",
      "({ properties }) => properties",
    ),
    cut(`${DRIFT}/stated.ts`, "that a patch goes before the object", "(_, patch) => patch", "(own) => own"),
    cut(
      `${DRIFT}/stated.ts`,
      "that two patches that contradict each other leave it open",
      "() => UNKNOWN",
      "(one) => one",
    ),
    cut(
      `${DRIFT}/shownValue.ts`,
      "credentials in texts",
      '(typeof value === "string" && CREDENTIALS.test(value))',
      "false",
    ),
    cut(`${DRIFT}/shownValue.ts`, "credentials in proxies", "(PROXIES.has(key) && isFilled(value)) ||", ""),
    cut(`${DRIFT}/drift.ts`, "that a missing object is named", "else this.#missing.push(object);", ""),
    cut(
      `${DRIFT}/drift.ts`,
      "that kinds which nobody read are not missing",
      ".filter(({ identity }) => isRead(identity))",
    ),
    cut(
      `${DRIFT}/drift.ts`,
      "that nothing is called missing which may be in another cluster",
      "else if (isOfSeveral) this.#isVague = true;",
    ),
    cut(
      `${DRIFT}/drift.ts`,
      "the note on what nobody can tell apart",
      "for (const { identity } of objectsOf(unclear)) drift.leaveOut(UNCLEAR, identity);",
    ),
    cut(`${DRIFT}/drift.ts`, "that a note names a few objects", "objects.slice(0, MOST_NAMED)", "objects"),
    cut(
      `${DRIFT}/drift.ts`,
      "that another version is not compared",
      "identityOf(one)!.version === identityOf(found)!.version",
      "identityOf(one) !== undefined",
    ),
    cut(
      `${DRIFT}/drift.ts`,
      "that fields which are shared with others are left to them",
      "this.shared.get(identity.key) ?? []",
      "[] as string[][]",
    ),
    cut(
      `${DRIFT}/comparedKinds.ts`,
      "the namespace of a HostedCluster that names none",
      "paths: HOSTED_CLUSTER_PATHS, namespace: DEFAULT_NAMESPACE",
      "paths: HOSTED_CLUSTER_PATHS, namespace: API_NAMESPACE",
    ),
  ],
  LINKS: [
    cut(
      `${EC2}/peerings.ts`,
      "that nobody agreed to what others ask for",
      '"pending-acceptance": { requester: Standing.Connects, accepter: Standing.Asked }',
      '"pending-acceptance": { requester: Standing.Connects, accepter: Standing.Connects }',
    ),
    cut(
      `${EC2}/peerings.ts`,
      "the blocks of a peering's other end",
      "    peerCidrBlockSets: blocksOf(AccepterVpcInfo),\n",
    ),
    cut(
      `${EC2}/peerings.ts`,
      "further blocks of one end",
      ", ...CidrBlockSet.map((block) => block.CidrBlock)",
    ),
    cut(`${EC2}/routeTables.ts`, "that blackholes lead nowhere", 'State !== "blackhole"', "true"),
    cut(
      `${EC2}/routeTables.ts`,
      "routes to peerings",
      '  ["vpcPeeringConnectionId", "VpcPeeringConnectionId"],\n',
    ),
    cut(
      `${EC2}/routeTables.ts`,
      "routes to transit gateways",
      '  ["transitGatewayId", "TransitGatewayId"],\n',
    ),
    cut(
      `${EC2}/routeTables.ts`,
      "prefix lists as destinations",
      '  ["destinationPrefixListId", "DestinationPrefixListId"],\n',
    ),
    cut(
      `${EC2}/routeTables.ts`,
      "which table is the main one",
      "isMain ? TYPE.defaultRouteTable : TYPE.routeTable",
      "TYPE.routeTable",
    ),
    cut(
      `${EC2}/transitGateways.ts`,
      "the states of attachments that take part",
      'new Set(["available", "modifying", "pending"])',
      "new Set()",
    ),
    cut(
      `${EC2}/transitGateways.ts`,
      "that an attachment without a table leads nowhere",
      "table === undefined && !mayHaveAnyTable(attachment) ? true : undefined",
      "undefined",
    ),
    cut(
      `${EC2}/transitGateways.ts`,
      "that a table of another account may be any",
      "  TransitGatewayOwnerId !== ResourceOwnerId || ",
      "  ",
    ),
    cut(
      `${EC2}/transitGateways.ts`,
      "blackholes of transit gateways",
      'State === "blackhole" ? true : undefined',
      "undefined",
    ),
    cut(`${EC2}/vpns.ts`, "the static routes of a VPN", "...Routes.filter(isThere)", "...[]"),
    cut(
      `${EC2}/vpns.ts`,
      "the customer's side of a VPN",
      "      localIpv4NetworkCidr: Options?.LocalIpv4NetworkCidr,\n",
    ),
    cut(
      `${EC2}/vpns.ts`,
      "that what is deleted is gone",
      '"deleting", "deleted", "detaching", "detached"',
      "",
    ),
    cut(TRANSIT, "that blackholes are no way", "      if (route.isBlackhole) return false;\n"),
    cut(TRANSIT, "that blackholes take addresses out", " && !isTaken(block)"),
    cut(
      TRANSIT,
      "ways through another VPC",
      "return !passed.has(next) && this.#leads(next, to, passed);",
      "return false;",
    ),
    cut(
      TRANSIT,
      "that one way is enough",
      "(this.#leads(one, other) || this.#leads(other, one))",
      "(this.#leads(one, other) && this.#leads(other, one))",
    ),
    cut(
      TRANSIT,
      "that unknown routes may lead anywhere",
      "if (!routes) return true;",
      "if (!routes) return false;",
    ),
  ],
};
