/**
 * The data that each row of requirements.md relies on: by file, the ids of the list elements that `npm run prove-rows` removes one by
 * one. `npm run mutation` covers what is in code.
 */
export const entries: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  M1: {
    "src/requirements/rows/apiServer.ts": ["cp-in-kas", "cp-in-kas-azure", "cp-in-kas-ibm"],
    "src/requirements/rows/capi.ts": [
      "cp-in-capi-aws",
      "cp-in-capi-kubevirt",
      "cp-in-capi-openstack",
      "cp-in-capi-powervs",
      "cp-in-agent-capi-health",
      "cp-in-orc",
    ],
    "src/requirements/rows/ignition.ts": ["cp-in-ignproxy-agent", "cp-in-ignproxy-none"],
  },
  M2: {
    "src/requirements/rows/router.ts": ["cp-in-route-443"],
    "src/requirements/rows/ignition.ts": ["cp-in-ign-9090", "cp-in-ignproxy-nodeport"],
    "src/requirements/rows/konnectivity.ts": ["cp-in-konn-nodeport", "cp-in-konn-lb"],
    "src/requirements/publishing.ts": [
      "HyperShift publishes Ignition by Route or NodePort only",
      "HyperShift gives OAuth a load balancer on Azure only",
      "on Azure Konnectivity is published by Route",
      "on Azure Ignition is published by Route",
      "node ports do not lead through the private endpoint",
    ],
  },
  M3: {
    "src/requirements/rows/router.ts": ["cp-in-private-router-http", "cp-in-private-router-https"],
  },
  M4: {
    "src/requirements/rows/egress.ts": [
      "cp-out-443",
      "cp-out-6443",
      "cp-out-dns-tcp",
      "cp-out-dns-udp",
      "wk-out-443",
      "wk-out-dns-tcp",
      "wk-out-dns-udp",
    ],
    "src/requirements/rows/apiServer.ts": ["wk-out-kas", "wk-out-kas-azure", "wk-out-kas-ibm"],
    "src/requirements/rows/konnectivity.ts": ["wk-out-konn"],
    "src/requirements/rows/ignition.ts": ["wk-out-ignproxy"],
  },
  M6: {
    "src/requirements/implicitRanges.ts": ["ovn-transit-switch", "ovn-user-defined-join", "ovn-masquerade"],
  },
  M8: {
    "src/requirements/proxyFacts.ts": [
      "control-plane-operator",
      "oauth-openshift",
      "openshift-apiserver",
      "ingress-operator",
    ],
  },
  M11: {
    "src/proxy/management.ts": ["control-plane-operator", "ignition-server"],
  },
  M12: {
    "src/isolation/ingress.ts": ["same-namespace", "monitoring"],
  },
  M13: {
    "src/requirements/podIsolation.ts": ["crio", "pod-security.kubernetes.io/enforce"],
  },
  M14: {
    "src/isolation/ingress.ts": ["operators"],
  },
  M20: {
    "src/requirements/networkOperator.ts": [
      "ipsec-pods-of-different-nodes",
      "ipsec-host-network-to-pod",
      "ipsec-pods-of-one-node",
      "ipsec-between-host-networks",
      "ipsec-pod-to-host-network",
      "ipsec-cipher",
      "ipsec-certificate-authority",
      "ipsec-node-certificates",
      "ipsec-ike",
      "ipsec-nat",
      "ipsec-esp",
    ],
  },
};
