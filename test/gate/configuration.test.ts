import { readConfiguration } from "../../src/gate/readConfiguration";

const read = (document: unknown) => readConfiguration(document, "c.yaml", ["cidr-invalid", "port-public"]);
const faults = (document: unknown) =>
  read(document).faults.map(({ path, problem, remedy }) => `${path} ${problem}: ${remedy}`);
const clusters = (...hostedClusters: unknown[]) => ({ hostedClusters });

describe("a configuration", () => {
  it("may be empty", () => {
    const nothing = { file: "c.yaml", clusters: [], levels: {} };
    for (const document of [undefined, null])
      expect(read(document)).toEqual({ configuration: nothing, faults: [] });
    for (const document of [{}, { hostedClusters: null, rules: null, exemptions: null }])
      expect(read(document)).toEqual({ configuration: { ...nothing, exemptions: [] }, faults: [] });
  });

  it("is used without its invalid parts", () => {
    expect(
      read({
        hostedClusters: [
          "a",
          {
            name: "a",
            platform: "AWS",
            managementCluster: "prod",
            securityGroups: { controlPlane: ["x"], workers: "y", privateEndpoint: ["z", "sg-1"] },
          },
        ],
        rules: { all: "disabled", "cidr-invalid": "strict", "port-public": "mandatory" },
        exemptions: [{ rule: "port-public", resource: "a" }],
      }).configuration,
    ).toEqual({
      file: "c.yaml",
      clusters: [
        {
          path: "hostedClusters[1]",
          topology: { name: "a", platform: "AWS" },
          managementCluster: "prod",
          securityGroups: { "control-plane": ["x"], "private-endpoint": ["z", "sg-1"] },
        },
      ],
      levels: { all: "disabled", "port-public": "mandatory" },
      exemptions: [],
    });
  });

  it.each<[string, unknown, string[]]>([
    [
      "a single value",
      "x",
      [
        "c.yaml is a single value, not an object with hostedClusters, rules or exemptions: begin with hostedClusters:",
      ],
    ],
    [
      "a list",
      [],
      [
        "c.yaml is a list, not an object with hostedClusters, rules or exemptions: begin with hostedClusters:",
      ],
    ],
    [
      "misspelled properties",
      { hostedCluster: [], rule: {} },
      [
        "hostedCluster no such property: did you mean hostedClusters?",
        "rule no such property: did you mean rules?",
      ],
    ],
    [
      "unknown properties",
      { zzz: 1 },
      ["zzz no such property: the properties are hostedClusters, rules, exemptions"],
    ],
    [
      "hosted clusters that are not a list",
      { hostedClusters: {} },
      ["hostedClusters is not a list: begin each cluster with - name:"],
    ],
    [
      "a hosted cluster that is a string",
      clusters("a"),
      ["hostedClusters[0] is not an object: write name: and what else is known"],
    ],
    [
      "clusters without a name",
      clusters({}, {}),
      [0, 1].map((n) => `hostedClusters[${n}].name missing: write the name of the HostedCluster`),
    ],
    ...[
      ["", '""'],
      [[], "a list"],
    ].map(([managementCluster, shown]): [string, unknown, string[]] => [
      `a management cluster called ${JSON.stringify(managementCluster)}`,
      clusters({ name: "a", managementCluster }),
      [
        `hostedClusters[0].managementCluster ${shown as string} is not a name: write the folder, the provider or the server of the management cluster`,
      ],
    ]),
    ...[5, false].map((value): [string, unknown, string[]] => [
      `names that YAML reads as ${value}`,
      clusters({ name: value, managementCluster: value }),
      [
        `hostedClusters[0].managementCluster ${value} is not a name: write it in quotes`,
        `hostedClusters[0].name ${value} is not a string: write it in quotes`,
      ],
    ]),
    [
      "a management cluster that is null, which is none",
      clusters({ name: "a", managementCluster: null }),
      [],
    ],
    [
      "groups that are a list",
      clusters({ name: "a", securityGroups: [] }),
      ["hostedClusters[0].securityGroups is not an object: write controlPlane, workers, privateEndpoint"],
    ],
    ["security groups that are null, which is none", clusters({ name: "a", securityGroups: null }), []],
    [
      "security groups of unknown roles or without lists of names",
      clusters({
        name: "a",
        securityGroups: { workers: "y", privateEndpoint: ["z", 5], worker: [], constructor: [] },
      }),
      [
        "hostedClusters[0].securityGroups.workers is not a list of names: write names, ids or URNs",
        "hostedClusters[0].securityGroups.privateEndpoint is not a list of names: write each in quotes",
        "hostedClusters[0].securityGroups.worker no such property: did you mean workers?",
        "hostedClusters[0].securityGroups.constructor no such property: the properties are controlPlane, workers, privateEndpoint",
      ],
    ],
    ["rules that are a list", { rules: [] }, ["rules is not an object: write port-missing: advisory"]],
    [
      "unknown rules and levels",
      { rules: { "port-publik": "advisory", zzzzzzzz: "advisory", "cidr-invalid": "strict" } },
      [
        "rules.port-publik no such rule: did you mean port-public?",
        "rules.zzzzzzzz no such rule: the rules are cidr-invalid, port-public",
        'rules.cidr-invalid "strict" is not a level: write mandatory (errors), advisory (warnings) or disabled',
      ],
    ],
  ])("has the expected faults with %s", (_, document, expected) =>
    expect(faults(document)).toEqual(expected),
  );
});

describe("two entries for one cluster", () => {
  const twice = [
    "hostedClusters[1].name is the same as that of hostedClusters[0]: write one entry for each cluster, or state the namespaces or management clusters of both",
  ];
  const [x, y] = ["x", "y"];

  it.each<[object, object, string[]]>([
    [{}, {}, twice],
    [{ namespace: x }, {}, twice],
    [{}, { namespace: x }, twice],
    [{ namespace: x }, { namespace: x }, twice],
    [{ namespace: x }, { namespace: y }, []],
    [{ managementCluster: x }, {}, twice],
    [{}, { managementCluster: x }, twice],
    [{ managementCluster: x }, { managementCluster: x }, twice],
    [{ managementCluster: x }, { managementCluster: y }, []],
    [{ namespace: x, managementCluster: x }, { namespace: x, managementCluster: y }, []],
    [{ namespace: x, managementCluster: x }, { namespace: y, managementCluster: x }, []],
  ])("with %j and %j are rejected only if they may describe the same cluster", (one, other, expected) => {
    expect(faults(clusters({ name: "a", ...one }, { name: "a", ...other }))).toEqual(expected);
    expect(faults(clusters({ name: "a", ...one }, { name: "b", ...other }))).toEqual([]);
  });
});

describe("the topology of an entry", () => {
  // Neither OAuth by LoadBalancer nor endpointAccess is valid on platform None.
  const services = { oauthServer: { type: "LoadBalancer" } };
  const wrong = { machineNetwork: [{ cidr: "10.0.0.1/16" }] };
  const hostBits = "hostedClusters[0].machineNetwork[0].cidr 10.0.0.1/16 has host bits: write 10.0.0.0/16";

  it("without a platform is rejected only for what every platform rejects", () => {
    const entry = (said: object) => faults(clusters({ name: "a", ...said }));
    const services = { konnectivity: { type: "nodeport", nodeprot: 3 }, konnectivty: { type: "Route" } };
    expect(entry({ services, endpointAccess: "private" })).toEqual([
      'hostedClusters[0].endpointAccess "private" is not one of Public, PublicAndPrivate or Private: did you mean Private?',
      "hostedClusters[0].services.konnectivty no such property: did you mean konnectivity?",
      "hostedClusters[0].services.konnectivity.nodeprot no such property: did you mean nodePort?",
      'hostedClusters[0].services.konnectivity.type "nodeport" is not one of Route, NodePort or LoadBalancer: did you mean NodePort?',
    ]);
    expect(entry({ defaultWorkerRules: "yes" })).toHaveLength(1);
    expect(
      entry({ clusterNetwork: [{ cidr: "10.0.0.0/14" }], serviceNetwork: [{ cidr: "10.1.0.0/16" }] }),
    ).toEqual([expect.stringContaining("10.0.0.0/14 overlaps the service network 10.1.0.0/16")]);
    for (const said of [
      { defaultWorkerRules: true },
      ...["Public", "PublicAndPrivate", "Private"].map((endpointAccess) => ({ endpointAccess })),
      ...["Route", "NodePort", "LoadBalancer"].map((type) => ({ services: { konnectivity: { type } } })),
      { endpointAccess: "Private", externalClientCidrs: ["0.0.0.0/0"] },
    ])
      expect([said, entry(said)]).toEqual([said, []]);
  });

  it("without a platform is judged except for what depends on the platform", () => {
    const unsaid = { name: "a", endpointAccess: "Private", services, ...wrong };
    expect(faults(clusters(unsaid))).toEqual([hostBits]);
    expect(faults(clusters({ ...unsaid, platform: "None" }))).toContain(hostBits);
    expect(faults(clusters({ ...unsaid, platform: "None" })).length).toBeGreaterThan(1);
  });
});
