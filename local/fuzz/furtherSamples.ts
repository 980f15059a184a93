/** Inputs of kinds that the rules' examples do not cover, or not with all fields that are read. In the same format. */
export const FURTHER: Readonly<Record<string, string>> = {
  "networks of AWS": `
type: aws:ec2:Vpc
name: workers
properties: { id: vpc-1, cidrBlock: 10.0.0.0/16 }
---
type: aws:ec2:Subnet
name: workers
properties: { id: subnet-1, vpcId: vpc-1, cidrBlock: 10.0.0.0/20 }
---
type: aws:ec2:RouteTable
name: workers
properties:
  id: rtb-1
  vpcId: vpc-1
  routes: [{ cidrBlock: 10.9.0.0/16, transitGatewayId: tgw-1 }]
---
type: aws:ec2:Route
name: peered
properties: { routeTableId: rtb-1, destinationCidrBlock: 10.8.0.0/16, vpcPeeringConnectionId: pcx-1 }
---
type: aws:ec2:VpcPeeringConnection
name: peering
properties: { id: pcx-1, vpcId: vpc-1, peerVpcId: vpc-2 }
---
type: aws:ec2:Vpc
name: peered
properties: { id: vpc-2, cidrBlock: 10.8.0.0/16 }
---
type: aws:ec2:VpcIpv4CidrBlockAssociation
name: more
properties: { vpcId: vpc-1, cidrBlock: 10.7.0.0/16 }
---
type: aws:ec2transitgateway:TransitGateway
name: hub
properties: { id: tgw-1, transitGatewayCidrBlocks: [10.99.0.0/24] }
---
type: aws:ec2transitgateway:VpcAttachment
name: workers
properties: { id: tgw-attach-1, transitGatewayId: tgw-1, vpcId: vpc-1 }
---
type: aws:ec2:VpnConnectionRoute
name: office
properties: { vpnConnectionId: vpn-1, destinationCidrBlock: 192.168.0.0/16 }
`,
  "security groups with rules of every form": `
type: aws:ec2:SecurityGroup
name: hosts
properties:
  id: sg-1
  vpcId: vpc-1
  tags: { hypershift-network/cluster: tenant-a, hypershift-network/role: control-plane }
  ingress:
    - { protocol: tcp, fromPort: 6443, toPort: 6443, cidrBlocks: [0.0.0.0/0], ipv6CidrBlocks: ["::/0"] }
    - { protocol: tcp, fromPort: 443, toPort: 443, prefixListIds: [pl-1], securityGroups: [sg-1], self: true }
  egress: []
---
type: aws:ec2:SecurityGroup
name: workers
properties:
  id: sg-2
  tags: { hypershift-network/cluster: tenant-a, hypershift-network/role: workers }
---
type: aws:vpc:SecurityGroupIngressRule
name: kubelet
properties: { securityGroupId: sg-2, ipProtocol: tcp, fromPort: 10250, toPort: 10250, cidrIpv4: 0.0.0.0/0 }
---
type: aws:vpc:SecurityGroupEgressRule
name: out
properties: { securityGroupId: sg-2, ipProtocol: "-1", cidrIpv6: "::/0" }
---
type: aws:ec2:SecurityGroupRule
name: old
properties:
  { type: ingress, securityGroupId: sg-1, protocol: tcp, fromPort: 22623, toPort: 22623, cidrBlocks: [0.0.0.0/0] }
---
type: aws:ec2:ManagedPrefixList
name: offices
properties: { id: pl-1, maxEntries: 5, entries: [{ cidr: 192.168.0.0/16 }] }
---
type: aws:ec2:ManagedPrefixListEntry
name: another
properties: { prefixListId: pl-1, cidr: 192.0.2.0/24 }
`,
  "network ACLs": `
type: aws:ec2:SecurityGroup
name: workers
properties:
  id: sg-1
  tags: { hypershift-network/cluster: tenant-a, hypershift-network/role: workers }
  ingress: [{ protocol: "-1", fromPort: 0, toPort: 0, cidrBlocks: [0.0.0.0/0] }]
  egress: [{ protocol: "-1", fromPort: 0, toPort: 0, cidrBlocks: [0.0.0.0/0] }]
---
type: aws:ec2:NetworkAcl
name: workers
properties:
  id: acl-1
  tags: { hypershift-network/cluster: tenant-a, hypershift-network/role: workers }
  subnetIds: [subnet-1]
  ingress: [{ ruleNo: 100, protocol: tcp, action: allow, cidrBlock: 10.0.0.0/8, fromPort: 0, toPort: 65535 }]
  egress: [{ ruleNo: 100, protocol: "-1", action: allow, cidrBlock: 0.0.0.0/0, fromPort: 0, toPort: 0 }]
---
type: aws:ec2:NetworkAclRule
name: no-icmp
properties:
  networkAclId: acl-1
  ruleNumber: 90
  egress: false
  protocol: icmp
  ruleAction: deny
  cidrBlock: 0.0.0.0/0
  icmpType: 3
  icmpCode: 4
`,
  "the network of a cluster": `
apiVersion: operator.openshift.io/v1
kind: Network
metadata: { name: cluster, annotations: { networkoperator.openshift.io/network-migration: "" } }
spec:
  clusterNetwork: [{ cidr: 10.132.0.0/14, hostPrefix: 23 }]
  serviceNetwork: [172.31.0.0/16]
  migration: { mtu: { network: { from: 1400, to: 1300 }, machine: { to: 1400 } } }
  defaultNetwork:
    type: OVNKubernetes
    ovnKubernetesConfig:
      mtu: 1400
      genevePort: 6081
      ipsecConfig: {}
      gatewayConfig: { routingViaHost: true, ipv4: { internalMasqueradeSubnet: 169.254.169.0/29 } }
      ipv4: { internalJoinSubnet: 100.64.0.0/16, internalTransitSwitchSubnet: 100.88.0.0/16 }
      hybridOverlayConfig:
        hybridClusterNetwork: [{ cidr: 10.192.0.0/14, hostPrefix: 24 }]
        hybridOverlayVXLANPort: 9898
---
apiVersion: machineconfiguration.openshift.io/v1
kind: MachineConfigPool
metadata: { name: worker }
spec: { paused: true }
`,
  "networks and pools inside a cluster": `
apiVersion: k8s.ovn.org/v1
kind: ClusterUserDefinedNetwork
metadata: { name: green }
spec:
  namespaceSelector: { matchLabels: { team: green } }
  network:
    topology: Layer3
    layer3: { role: Primary, subnets: [{ cidr: 10.78.0.0/16, hostSubnet: 24 }], joinSubnets: [100.80.0.0/16] }
---
apiVersion: k8s.cni.cncf.io/v1
kind: NetworkAttachmentDefinition
metadata: { name: blue, namespace: green }
spec:
  config: '{"cniVersion":"0.4.0","name":"blue","type":"ovn-k8s-cni-overlay","topology":"layer2","netAttachDefName":"green/blue","subnets":"10.79.0.0/16","excludeSubnets":"10.79.0.0/24"}'
---
apiVersion: v1
kind: Namespace
metadata: { name: green, labels: { team: green, k8s.ovn.org/primary-user-defined-network: "" } }
---
apiVersion: metallb.io/v1beta1
kind: IPAddressPool
metadata: { name: routers, namespace: metallb-system }
spec: { addresses: [192.168.7.0/24, 192.168.8.10-192.168.8.20] }
`,
  "administrators' policies": `
apiVersion: policy.networking.k8s.io/v1alpha1
kind: AdminNetworkPolicy
metadata: { name: tenants }
spec:
  priority: 10
  subject: { namespaces: { matchLabels: { kubernetes.io/metadata.name: clusters-tenant-a } } }
  ingress:
    - name: deny-others
      action: Deny
      from: [{ namespaces: { matchLabels: { team: shop } } }]
      ports: [{ portNumber: { protocol: TCP, port: 6443 } }]
  egress:
    - name: allow-dns
      action: Allow
      to: [{ networks: [172.31.0.10/32] }]
      ports: [{ portRange: { protocol: UDP, start: 53, end: 53 } }]
    - action: Allow
      to: [{ domainNames: ["*.example.com"] }]
    - action: Pass
      to: [{ nodes: { matchExpressions: [{ key: team, operator: NotIn, values: [shop] }] } }]
---
apiVersion: policy.networking.k8s.io/v1alpha1
kind: BaselineAdminNetworkPolicy
metadata: { name: default }
spec:
  subject: { pods: { namespaceSelector: {}, podSelector: { matchLabels: { app: kube-apiserver } } } }
  ingress:
    - action: Deny
      from: [{ pods: { namespaceSelector: { matchLabels: { team: shop } }, podSelector: {} } }]
`,
  "policies of the cluster in the later version": `
apiVersion: policy.networking.k8s.io/v1alpha2
kind: ClusterNetworkPolicy
metadata: { name: tenants }
spec:
  tier: Admin
  priority: 10
  subject: { pods: { podSelector: { matchLabels: { app: kube-apiserver } } } }
  ingress:
    - name: deny-others
      action: Deny
      from: [{ namespaces: { matchLabels: { team: shop } } }]
      protocols: [{ tcp: { destinationPort: { number: 6443 } } }, { destinationNamedPort: client }]
  egress:
    - action: Accept
      to: [{ networks: [172.31.0.10/32] }]
      protocols: [{ udp: { destinationPort: { range: { start: 53, end: 54 } } } }]
    - action: Accept
      to: [{ domainNames: ["*.example.com"] }]
`,
  "network policies with everything in them": `
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: shop, namespace: shop }
spec:
  podSelector: { matchExpressions: [{ key: app, operator: In, values: [web] }] }
  policyTypes: [Ingress, Egress]
  ingress:
    - from:
        - { podSelector: { matchLabels: { app: web } }, namespaceSelector: {} }
        - { ipBlock: { cidr: 10.0.0.0/8, except: [10.1.0.0/16] } }
      ports: [{ protocol: TCP, port: 8080, endPort: 8090 }, { protocol: UDP, port: dns }]
  egress:
    - to: [{ namespaceSelector: { matchExpressions: [{ key: team, operator: Exists }] } }]
`,
  "node pools and nodes": `
apiVersion: hypershift.openshift.io/v1beta1
kind: NodePool
metadata: { name: workers, namespace: clusters }
spec:
  clusterName: tenant-a
  replicas: 2
  release: { image: "quay.io/openshift-release-dev/ocp-release:4.20.4-x86_64" }
  nodeLabels: { k8s.ovn.org/egress-assignable: "" }
  platform: { type: AWS, aws: { instanceType: m5.large, subnet: { id: subnet-1 } } }
---
apiVersion: v1
kind: Node
metadata: { name: node-1, labels: { hypershift.openshift.io/cluster: clusters-tenant-a } }
spec:
  taints: [{ key: hypershift.openshift.io/cluster, value: clusters-tenant-a, effect: NoSchedule }]
---
apiVersion: config.openshift.io/v1
kind: Proxy
metadata: { name: cluster }
spec:
  httpProxy: http://proxy.example.com:3128
  httpsProxy: http://proxy.example.com:3128
  noProxy: .example.com,10.0.0.0/16
  readinessEndpoints: [http://www.example.com]
  trustedCA: { name: bundle }
`,
  "a workload of a hosted control plane": `
apiVersion: apps/v1
kind: Deployment
metadata: { name: probe, namespace: clusters-tenant-a }
spec:
  selector: { matchLabels: { app: probe } }
  template:
    metadata: { labels: { app: probe } }
    spec:
      hostNetwork: false
      hostPID: false
      volumes: [{ name: tmp, emptyDir: {} }]
      securityContext: { runAsNonRoot: true, seLinuxOptions: { type: container_t } }
      initContainers:
        - { name: first, image: "registry.example.com/first:1", ports: [{ containerPort: 81 }] }
      containers:
        - name: probe
          image: registry.example.com/probe:1
          ports: [{ name: http, containerPort: 80, protocol: TCP }]
          securityContext: { privileged: false, runAsUser: 1000, capabilities: { drop: [ALL] } }
`,
  "an egress router of a network attachment and a pod": `
platform: { type: Agent }
---
apiVersion: k8s.cni.cncf.io/v1
kind: NetworkAttachmentDefinition
metadata: { name: legacy, namespace: shop }
spec:
  config: '{"cniVersion":"0.4.0","type":"egress-router","name":"legacy","ip":{"addresses":["10.0.0.9/16"],"destinations":["192.0.2.1"],"gateway":"10.0.0.1"}}'
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: legacy, namespace: shop }
spec:
  replicas: 1
  selector: { matchLabels: { name: legacy } }
  template:
    metadata: { labels: { name: legacy }, annotations: { k8s.v1.cni.cncf.io/networks: legacy } }
    spec: { containers: [{ name: legacy, image: "registry.example.com/router:1" }] }
`,
  "components that describe clusters": `
type: hypershift-network:index:HostedControlPlaneSecurityGroups
name: tenant-b
properties:
  controlPlaneSecurityGroupId: sg-8
  workerSecurityGroupId: sg-9
  rules: []
  disabledRules: []
  topology:
    name: tenant-b
    namespace: clusters
    platform: AWS
    release: "4.20"
    endpointAccess: PublicAndPrivate
    machineNetwork: [{ cidr: 10.128.0.0/16 }]
    clusterNetwork: [{ cidr: 10.128.0.0/14, hostPrefix: 23 }]
    serviceNetwork: [{ cidr: 172.30.0.0/16 }]
    internalJoinSubnet: 100.65.0.0/16
    workerCidrs: [10.128.0.0/16]
    managementClusterCidrs: [10.1.0.0/16]
    externalClientCidrs: [203.0.113.0/24]
    services:
      apiServer: { type: LoadBalancer }
      oauthServer: { type: Route }
      konnectivity: { type: Route }
      ignition: { type: Route }
---
type: aws:ec2:SecurityGroup
name: tenant-b-control-plane
parent: { type: "hypershift-network:index:HostedControlPlaneSecurityGroups", name: tenant-b }
properties: { id: sg-8, vpcId: vpc-1, tags: { hypershift-network/cluster: tenant-b, hypershift-network/role: control-plane } }
---
type: aws:vpc:SecurityGroupIngressRule
name: tenant-b-control-plane-ingress-tcp-22
parent: { type: "hypershift-network:index:HostedControlPlaneSecurityGroups", name: tenant-b }
properties: { securityGroupId: sg-8, ipProtocol: tcp, fromPort: 22, toPort: 22, cidrIpv4: 0.0.0.0/0 }
---
type: aws:ec2:SecurityGroup
name: tenant-b-workers
parent: { type: "hypershift-network:index:HostedControlPlaneSecurityGroups", name: tenant-b }
properties: { id: sg-9, vpcId: vpc-1 }
---
type: aws:ec2:SecurityGroupRule
name: tenant-b-workers-ingress-everything
parent: { type: "hypershift-network:index:HostedControlPlaneSecurityGroups", name: tenant-b }
properties: { type: ingress, securityGroupId: sg-9, protocol: "-1", fromPort: 0, toPort: 0, cidrBlocks: [0.0.0.0/0] }
`,
  "a private endpoint and default filters": `
type: aws:ec2:SecurityGroup
name: endpoint
properties:
  tags: { hypershift-network/cluster: tenant-a, hypershift-network/role: private-endpoint }
  ingress: [{ protocol: tcp, fromPort: 0, toPort: 65535, cidrBlocks: [0.0.0.0/0], description: everything }]
---
type: aws:ec2:DefaultSecurityGroup
name: default
properties:
  vpcId: vpc-1
  tags: { hypershift-network/cluster: tenant-a, hypershift-network/role: workers }
  ingress: [{ protocol: "6", fromPort: 22, toPort: 22, cidrBlocks: [0.0.0.0/1, 128.0.0.0/1] }]
---
type: aws:ec2:DefaultNetworkAcl
name: default
properties:
  defaultNetworkAclId: acl-9
  tags: { hypershift-network/cluster: tenant-a, hypershift-network/role: workers }
  subnetIds: [subnet-9]
  ingress: [{ ruleNo: 100, protocol: "-1", action: allow, cidrBlock: 0.0.0.0/0, fromPort: 0, toPort: 0 }]
  egress: [{ ruleNo: 100, protocol: "17", action: deny, ipv6CidrBlock: "::/0", fromPort: 53, toPort: 53 }]
`,
  "a configuration with all that it may hold": `
type: aws:ec2:SecurityGroup
name: hosts
properties:
  id: sg-1
  name: hosts
  ingress: [{ protocol: tcp, fromPort: 8091, toPort: 8091, cidrBlocks: [0.0.0.0/0] }]
---
type: aws:ec2:Subnet
name: machines
properties: { vpcId: vpc-1, cidrBlock: 10.132.0.0/24 }
`,
};

/** Contents of hypershift-network.yaml for them. */
export const CONFIGURATIONS: Readonly<Record<string, string>> = {
  "a configuration with all that it may hold": `
hostedClusters:
  - name: tenant-a
    namespace: clusters
    managementClusterCidrs: [10.1.0.0/16]
    externalClientCidrs: [203.0.113.0/24]
    workerNatCidrs: [198.51.100.1/32]
    infrastructureCidrs: [{ name: office, cidr: 192.168.0.0/16 }]
    securityGroups: { controlPlane: [hosts], workers: [sg-2] }
  - name: tenant-b
    platform: KubeVirt
    release: "4.20"
    machineNetwork: [{ cidr: 10.2.0.0/16 }]
    clusterNetwork: [{ cidr: 10.132.0.0/16, hostPrefix: 23 }]
    serviceNetwork: [{ cidr: 172.29.0.0/16 }]
    services: { konnectivity: { type: Route } }
rules: { port-excess: disabled, all: mandatory }
exemptions:
  - rule: network-capacity
    resource: machines
    reason: no machines are there yet
`,
};
