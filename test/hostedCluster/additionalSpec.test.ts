import { judgeHostedCluster } from "../../src/hostedCluster/judge";
import { Platform } from "../../src/requirements/vocabulary";
import { UNKNOWN } from "../../src/resources/resource";
import { faultsOn, inputsOn, restJson, restOf, warningsOn } from "./inputs";

const { AWS, Azure, KubeVirt, None } = Platform;
const rest = (platform: Platform, more: object = {}): object => ({
  ...(JSON.parse(restJson(platform)) as object),
  ...more,
});
/** The faults of the rest of the spec given as an object. */
const asObject = (additionalSpec: unknown, topology: object = {}, on: Platform = AWS) =>
  faultsOn(on, topology, { additionalSpec, additionalSpecJson: undefined });
/** The faults of the rest of the spec given as JSON text. */
const asText = (additionalSpecJson: unknown, topology: object = {}, on: Platform = AWS) =>
  faultsOn(on, topology, { additionalSpecJson });

const EXAMPLE = 'write a JSON object such as {"release": {"image": "..."}, "pullSecret": {"name": "..."}}';

describe("M2 the rest of the spec", () => {
  test.each<[string, unknown, string]>([
    [
      "must not be missing",
      undefined,
      `missing: it must contain the release image and the pull secret: ${EXAMPLE}`,
    ],
    [
      "must be a string",
      { release: {} },
      "is not a string: write the object as JSON, for instance with pulumi.jsonStringify",
    ],
    ["must be JSON", "release: {image: hunter2}", `is not JSON: ${EXAMPLE}`],
    ["must be an object, not a list", "[]", `is not a JSON object: ${EXAMPLE}`],
    ["must be an object, not null", "null", `is not a JSON object: ${EXAMPLE}`],
    [
      "must not be a whole manifest",
      '{"apiVersion": "v1", "kind": "HostedCluster", "metadata": {}, "spec": {}, "status": {}}',
      "contains apiVersion, kind, metadata, spec, status, which are not fields of a HostedCluster's spec: write only the content of spec",
    ],
  ])("%s, given as text", (_, text, fault) => {
    expect(asText(text)).toEqual([`additionalSpecJson  ${fault}`]);
  });

  test.each<[string, unknown, string]>([
    [
      "must not be an Output as a whole",
      UNKNOWN,
      "is an Output as a whole: write an object; single values in it can be Outputs",
    ],
    [
      "must not be a list",
      [],
      'is not an object: write an object such as { release: { image: "..." }, pullSecret: { name: "..." } }',
    ],
    [
      "must not be a manifest",
      { status: {} },
      "contains status, which are not fields of a HostedCluster's spec: write only the content of spec",
    ],
  ])("%s, given as object", (_, object, fault) => {
    expect(asObject(object)).toEqual([`additionalSpec  ${fault}`]);
  });

  test("must be given as text or as object, not both", () => {
    expect(faultsOn(AWS, {}, { additionalSpec: rest(AWS) })).toEqual([
      "additionalSpec  is set in addition to additionalSpecJson: write all of it in additionalSpec, in which single values can be Outputs",
    ]);
    expect(faultsOn(AWS, {}, { additionalSpec: null })).toEqual([]);
    expect(asObject(rest(AWS))).toEqual([]);
  });

  test("has faults at the path of the input it is given in", () => {
    const empty = { release: { image: "" }, pullSecret: { name: "pull-secret" } };
    const remedies = [
      "release.image  missing: write the image of the release",
      "platform.aws.region  missing: write it: the API requires it on AWS",
      "platform.aws.rolesRef  missing: write it: the API requires it on AWS",
    ];
    const places = (lines: string[]) => lines.map((line) => line.split(":")[0]);
    expect(places(asObject(empty))).toEqual(places(remedies.map((line) => `additionalSpec.${line}`)));
    expect(places(asText(JSON.stringify(empty)))).toEqual(
      places(remedies.map((line) => `additionalSpecJson ${line}`)),
    );
    expect(asObject(empty)[1]).toBe(`additionalSpec.${remedies[1]}`);
  });
});

describe("M2 the rest of the spec must not set what another input sets:", () => {
  const refused = (path: string, input: string) =>
    `additionalSpec.${path}  is also ${input}, which the component writes to spec.${path}: remove it, and state it only in ${input}`;

  test.each<[string, object, readonly string[]]>([
    ["a list is refused", { services: [] }, [refused("services", "topology.services")]],
    ["an unknown list is refused", { services: UNKNOWN }, [refused("services", "topology.services")]],
    [
      "fields in an object are refused",
      { networking: { machineNetwork: [], apiServer: { port: 443 } } },
      [
        refused("networking.apiServer.port", "topology.apiServerPort"),
        refused("networking.machineNetwork", "topology.machineNetwork"),
      ],
    ],
    [
      "a value in place of their parent object is refused once",
      { networking: "none" },
      ["additionalSpec.networking  is not an object: write an object, or leave it out"],
    ],
    [
      "a value in place of a nested parent object is refused",
      { operatorConfiguration: { clusterNetworkOperator: 7 } },
      [
        "additionalSpec.operatorConfiguration.clusterNetworkOperator  is not an object: write an object, or leave it out",
      ],
    ],
    ["an unknown parent object is accepted", { networking: UNKNOWN }, []],
    ["an empty parent object is accepted", { networking: {}, operatorConfiguration: null }, []],
    ["null is accepted", { services: null }, []],
  ])("%s", (_, more, lines) => {
    const found = asObject(rest(AWS, more));
    expect(found.filter((line) => /is also|is not an object/.test(line))).toEqual(lines);
  });
});

describe("M2 settings of a platform in the rest of the spec", () => {
  test("must belong to the topology's platform", () => {
    const platform = { ...restOf[Azure], aws: { region: "us-east-1" }, kubevirt: null };
    expect(asObject(rest(None, { platform }), {}, None)).toEqual([
      "additionalSpec.platform.aws  belongs to AWS, and the topology's platform is None: remove it, or correct topology.platform",
    ]);
  });

  test("must not be missing if the platform requires them", () => {
    expect(asText(JSON.stringify(rest(AWS, { platform: { aws: { rolesRef: {} } } })))).toEqual([
      "additionalSpecJson platform.aws.region  missing: write it: the API requires it on AWS",
    ]);
    expect(asObject(rest(AWS, { platform: { aws: { rolesRef: {}, region: UNKNOWN } } }))).toEqual([]);
  });
});

test("warns of an unknown field, and suggests the name that was probably meant", () => {
  const dropped = "is not a known field of a HostedCluster's spec, and a server without the field drops it";
  const additionalSpec = rest(AWS, { nodeSelectors: {}, quota: 7 });
  expect(warningsOn(AWS, {}, { additionalSpec, additionalSpecJson: undefined })).toEqual([
    `additionalSpec.nodeSelectors  ${dropped}: did you mean nodeSelector?`,
    `additionalSpec.quota  ${dropped}: make sure that your HyperShift has it`,
  ]);
});

describe("the release of the image", () => {
  const subnet = { internalJoinSubnet: "100.99.0.0/16", release: undefined };
  const image = (release: string) => `quay.io/openshift-release-dev/ocp-release:${release}-x86_64`;
  const tooOld = expect.stringContaining("release 4.19 does not have it") as string;

  test("is the topology's release if the topology states none", () => {
    for (const release of [undefined, null])
      expect(asText(restJson(AWS, { release: { image: image("4.19.2") } }), { ...subnet, release })).toEqual([
        tooOld,
      ]);
    expect(asText(restJson(AWS), subnet)).toEqual([]);
    const judged = judgeHostedCluster(inputsOn(AWS, subnet));
    expect(judged.topology?.release).toEqual({ major: 4, minor: 20 });
  });

  const unknownOf = (additional: object) =>
    judgeHostedCluster(inputsOn(AWS, { release: undefined }, additional)).topology?.unknown;
  const object = (more: object) => ({ additionalSpecJson: undefined, additionalSpec: rest(AWS, more) });

  test.each<[string, object]>([
    ["an image", object({ release: { image: UNKNOWN } })],
    ["a release", object({ release: UNKNOWN })],
    ["a JSON text", { additionalSpecJson: UNKNOWN }],
  ])("is unknown with %s that is unknown", (_, additional) => {
    expect(faultsOn(AWS, subnet, additional)).toEqual([]);
    expect(unknownOf(additional)).toEqual(["release"]);
  });

  test("is not unknown with a digest, which states no release", () => {
    expect(unknownOf(object({ release: { image: `quay.io/a/b@sha256:${"a".repeat(64)}` } }))).toEqual([]);
  });

  test("must equal that of the topology if both are stated", () => {
    const old = restJson(AWS, { release: { image: image("4.19.2") } });
    expect(asText(old, { release: "4.20" })).toEqual([
      "additionalSpecJson release.image  is of release 4.19, and topology.release is 4.20: write the same release in both",
    ]);
  });
});

test("reports a conflict between the rest of the spec and another input at the input to change", () => {
  const configuration = { network: { serviceNodePortRange: "30000-31000" } };
  const services = { apiServer: { type: "NodePort", address: "192.0.2.1", nodePort: 32000 } };
  expect(asText(restJson(KubeVirt, { configuration }), { services }, KubeVirt)).toEqual([
    "topology.services.apiServer.nodePort  32000 is not in 30000-31000, the range in spec.configuration.network.serviceNodePortRange: write one from 30000 to 31000, or 0 for any",
  ]);
  const azure = { ...(restOf[Azure] as { platform: { azure: object } }).platform.azure };
  const managed = { azureAuthenticationConfigType: "ManagedIdentities" };
  const platform = { azure: { ...azure, azureAuthenticationConfig: managed, private: {} } };
  const oauth = { services: { oauthServer: { type: "LoadBalancer" } } };
  expect(asObject(rest(Azure, { platform }), oauth, Azure)).toEqual([
    "additionalSpec.platform.azure.private  is only valid with private access: remove it, or make the access private",
    "topology.services.oauthServer.type  LoadBalancer is refused on Azure without the authentication type WorkloadIdentities: write Route",
  ]);
});
