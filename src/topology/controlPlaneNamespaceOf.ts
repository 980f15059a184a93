/** The namespace in which HyperShift runs the control plane of a HostedCluster. */
export const controlPlaneNamespaceOf = (namespace: string, name: string): string => `${namespace}-${name}`;
