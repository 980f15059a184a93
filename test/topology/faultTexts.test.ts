import { spoken } from "./topologies";

describe("messages on names, keywords and numbers:", () => {
  test.each<[string, object, string[]]>([
    [
      "a name that is not a Kubernetes name",
      { name: "Tenant" },
      [
        'topology.name  "Tenant" is not a Kubernetes name: write at most 63 lowercase letters, digits and hyphens',
      ],
    ],
    [
      "a name that is too long",
      { name: "a".repeat(64) },
      [
        `topology.name  "${"a".repeat(57)}..." is not a Kubernetes name: write at most 63 lowercase letters, digits and hyphens`,
      ],
    ],
    [
      "a name that makes the control plane's namespace too long",
      { name: "a".repeat(55) },
      [
        `topology.name  clusters-${"a".repeat(55)}, the namespace of the control plane, has 64 characters: shorten name or namespace: 63 characters at most`,
      ],
    ],
    ["a number as a name", { name: 5 }, ["topology.name  5 is not a string: write it in quotes"]],
    [
      "neither name nor platform",
      { name: null, platform: null },
      [
        "topology.name  missing: write the name of the HostedCluster",
        "topology.platform  missing: write one of AWS, Azure, GCP, IBMCloud, PowerVS, KubeVirt, OpenStack, Agent, None",
      ],
    ],
    [
      "a release as a number",
      { release: 4.2 },
      [
        'topology.release  4.2 is a number, and as numbers 4.20 and 4.2 are the same: write it in quotes: release: "4.20"',
      ],
    ],
    [
      "a release in words",
      { release: "four" },
      ['topology.release  "four" is not a release: write major.minor: release: "4.20"'],
    ],
    [
      "a list as a release",
      { release: ["4.20"] },
      ['topology.release  a list is not a release: write major.minor: release: "4.20"'],
    ],
    [
      "an object as a release",
      { release: { major: 4 } },
      ['topology.release  an object is not a release: write major.minor: release: "4.20"'],
    ],
    [
      "a long release, which is truncated",
      { release: "x".repeat(61) },
      [`topology.release  "${"x".repeat(57)}..." is not a release: write major.minor: release: "4.20"`],
    ],
    [
      "a release of 60 characters, which is shown in full",
      { release: "x".repeat(60) },
      [`topology.release  "${"x".repeat(60)}" is not a release: write major.minor: release: "4.20"`],
    ],
    [
      "an address with a mask",
      { advertiseAddress: "10.0.0.1/32" },
      ["topology.advertiseAddress  10.0.0.1/32 has a mask: write only the address [cidr-invalid]"],
    ],
    [
      "an address of another address family",
      { advertiseAddress: "fd00::5" },
      [
        "topology.advertiseAddress  fd00::5 is IPv6, and the first cluster network is IPv4: write an IPv4 address, or leave it out [cidr-invalid]",
      ],
    ],
    [
      "a misspelled keyword",
      { endpointAccess: "Privat" },
      [
        'topology.endpointAccess  "Privat" is not one of Public, PublicAndPrivate or Private: did you mean Private?',
      ],
    ],
    [
      "endpoint access on a platform without it",
      { platform: "KubeVirt", endpointAccess: "Private" },
      ["topology.endpointAccess  KubeVirt has no such choice: leave it out"],
    ],
    [
      "an endpoint access of other platforms",
      { platform: "GCP", endpointAccess: "Public" },
      ["topology.endpointAccess  Public does not exist on GCP: write Private or PublicAndPrivate"],
    ],
    [
      "a port of zero",
      { apiServerPort: 0 },
      ["topology.apiServerPort  0 is not a port: write a whole number from 1 to 65535"],
    ],
    [
      "a port above the last",
      { apiServerPort: 65536 },
      ["topology.apiServerPort  65536 is not a port: write a whole number from 1 to 65535"],
    ],
    [
      "a port as text",
      { apiServerPort: "6443" },
      ['topology.apiServerPort  "6443" is not a port: write a whole number from 1 to 65535'],
    ],
    [
      "a boolean as text",
      { bootstrap: "yes" },
      ['topology.bootstrap  "yes" is neither true nor false: write true or false, without quotes'],
    ],
    [
      "a bootstrap that closes nothing",
      { bootstrap: false },
      [
        "topology.bootstrap  false closes nothing: published by Route, ignition shares port 443 with konnectivity and OAuth: leave bootstrap out, or publish ignition by NodePort where the platform has that",
      ],
    ],
    [
      "an unknown keyword",
      { loadBalancerTargets: "nodes" },
      ['topology.loadBalancerTargets  "nodes" is not one of instance or ip: write one of instance or ip'],
    ],
    [
      "an unknown network type",
      { networkType: "OVN" },
      [
        'topology.networkType  "OVN" is not one of OVNKubernetes, OpenShiftSDN, Calico or Other: write one of OVNKubernetes, OpenShiftSDN, Calico or Other',
      ],
    ],
    [
      "a platform in small letters",
      { platform: "aws" },
      [
        'topology.platform  "aws" is not one of AWS, Azure, GCP, IBMCloud, PowerVS, KubeVirt, OpenStack, Agent or None: did you mean AWS?',
      ],
    ],
    [
      "a misspelled property",
      { machineNetworks: [] },
      ["topology.machineNetworks  no such property: did you mean machineNetwork?"],
    ],
    [
      "an unknown property",
      { services: { apiServer: { banana: 1 } } },
      [
        "topology.services.apiServer.banana  no such property: the properties are type, nodePort, address or hostname",
      ],
    ],
    [
      "a bigint",
      { apiServerPort: 10n },
      [
        "topology.apiServerPort  a bigint is not a plain value: it decides which resources exist, so give the value itself, for example from the stack's configuration",
      ],
    ],
    [
      "list entries that are not CIDR blocks",
      { registryCidrs: [5, null, "x"] },
      [
        "topology.registryCidrs[0]  a number is not a CIDR block: write a CIDR block such as 10.0.0.0/16",
        "topology.registryCidrs[1]  missing: write a CIDR block",
        "topology.registryCidrs[2]  a string of 1 characters is not a CIDR block: write a CIDR block such as 10.0.0.0/16",
      ],
    ],
    [
      "an object instead of a list",
      { registryCidrs: {} },
      ["topology.registryCidrs  an object is not a list: write a list"],
    ],
    [
      "one CIDR block instead of a list",
      { registryCidrs: "10.1.0.0/16" },
      ['topology.registryCidrs  "10.1.0.0/16" is not a list: write [10.1.0.0/16]'],
    ],
    [
      "everybody as clients of a private cluster",
      { endpointAccess: "Private", externalClientCidrs: ["0.0.0.0/0"] },
      [
        "topology.externalClientCidrs  0.0.0.0/0 includes every address, and a cluster with Private access is reached only through private networks: write the CIDR blocks of those networks",
      ],
    ],
  ])("%s", (_, raw, expected) => {
    expect(spoken(raw)).toEqual(expected);
  });
});
