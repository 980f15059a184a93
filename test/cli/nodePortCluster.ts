/** A configuration with one hosted cluster, whose services are published by node ports. */
export const NODE_PORT_CLUSTER = `hostedClusters:
  - name: tenant-a
    platform: None
    release: "4.20"
    machineNetwork: [{ cidr: 10.0.0.0/16 }]
    managementClusterCidrs: [10.1.0.0/16]
    workerNatCidrs: [198.51.100.7/32]
    services:
      apiServer: { type: NodePort, nodePort: 31443 }
      oauthServer: { type: NodePort, nodePort: 31444 }
      konnectivity: { type: NodePort, nodePort: 31091 }
      ignition: { type: NodePort, nodePort: 31090 }
`;
