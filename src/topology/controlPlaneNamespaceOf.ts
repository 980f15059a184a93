/** The namespace in which HyperShift runs the control plane of a HostedCluster: namespaces have no dots, names may. */
export const controlPlaneNamespaceOf = (namespace: string, name: string): string =>
  `${namespace}-${name.replaceAll(".", "-")}`;
