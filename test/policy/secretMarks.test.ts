import { createRequire } from "node:module";

import { AnalyzerService } from "@pulumi/pulumi/proto/analyzer_grpc_pb";
import { AnalyzeRequest, AnalyzerResource, AnalyzeStackRequest } from "@pulumi/pulumi/proto/analyzer_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";

import type { ReportViolation, ResourceValidationArgs, StackValidationArgs } from "@pulumi/policy";

import { policies } from "../../policy/policies";
import { keepSecretMarks, type SecretMarks } from "../../policy/secretMarks";
import { Session } from "../../policy/session";
import type { Policy } from "../../policy/due";
import type { PropertyValue, Resource } from "../../src/resources/resource";
import { TYPE } from "../../src/resources/resourceTypes";
import { group, hostedCluster, resource, tcp } from "../rules/builders";

const SIGNATURE = "4dabf18193072939515e22adb298388d";
const secret = (value: unknown) => ({ [SIGNATURE]: "1b47061264138c4ac30d75fd1eb44270", value });

type Service = typeof AnalyzerService;
/** A copy of the service whose methods can be changed without effect on others. */
const ownService = () =>
  ({ analyze: { ...AnalyzerService.analyze }, analyzeStack: { ...AnalyzerService.analyzeStack } }) as Service;

/** The deserializer of the policy library. */
const { deserializeProperties } = jest.requireActual<{
  deserializeProperties: (properties: Struct | undefined, proxySecrets: boolean) => Record<string, unknown>;
}>("@pulumi/policy/deserialize");

/** The SDK has its own version of protobuf. */
const { Struct: Structs } = createRequire(require.resolve("@pulumi/pulumi/proto/analyzer_pb"))(
  "google-protobuf/google/protobuf/struct_pb",
) as { Struct: { fromJavaScript(value: object): Struct } };
const struct = (properties: object): Struct => Structs.fromJavaScript(properties);

function requestOf(properties: object): Buffer {
  const request = new AnalyzeRequest();
  request.setUrn("urn:pulumi:dev::test::a:b:C::c");
  request.setProperties(struct(properties));
  return Buffer.from(request.serializeBinary());
}

function stackOf(...all: object[]): Buffer {
  const request = new AnalyzeStackRequest();
  request.setResourcesList(
    all.map((properties, at) => {
      const one = new AnalyzerResource();
      one.setUrn(`urn:${at}`);
      one.setProperties(struct(properties));
      return one;
    }),
  );
  return Buffer.from(request.serializeBinary());
}

describe("the engine's marks of secrets", () => {
  it("become the text that previews use for secrets, at any depth, and other values stay", () => {
    const service = ownService();
    const marks = keepSecretMarks(service);
    const request = service.analyze.requestDeserialize(
      requestOf({
        plain: "a",
        none: null,
        port: 1,
        top: secret("hunter2"),
        list: ["b", secret(["hunter2"])],
        map: { deep: [{ own: secret({ a: secret("hunter2") }) }] },
        asset: { [SIGNATURE]: "c44067f5952c0a294b673a41bacd8c17", text: "c" },
        archive: {
          [SIGNATURE]: "0def7320c3a5731c473e5ecbe6d01bc7",
          assets: { a: secret({ [SIGNATURE]: "c44067f5952c0a294b673a41bacd8c17", text: "hunter2" }) },
        },
      }),
    );
    expect(deserializeProperties(request.getProperties(), false)).toMatchObject({
      plain: "a",
      none: null,
      port: 1,
      top: "[secret]",
      list: ["b", "[secret]"],
      map: { deep: [{ own: "[secret]" }] },
      archive: "[secret]",
    });
    expect(Buffer.from(request.serializeBinary()).toString()).not.toContain("hunter2");
    expect(marks.kept(request.getUrn())).toBe(true);
    expect(marks.kept("urn:other")).toBe(false);
  });

  it("are replaced in each resource of a stack", () => {
    const service = ownService();
    const marks = keepSecretMarks(service);
    const request = service.analyzeStack.requestDeserialize(stackOf({ a: secret("hunter2") }, { a: "b" }));
    const read = request.getResourcesList().map((one) => deserializeProperties(one.getProperties(), false));
    expect(read).toEqual([{ a: "[secret]" }, { a: "b" }]);
    expect([marks.kept("urn:0"), marks.kept("urn:1")]).toEqual([true, true]);
  });

  it("stay in remediate, whose result goes back to the engine", () => {
    const service = { ...ownService(), remediate: { ...AnalyzerService.remediate } } as Service;
    keepSecretMarks(service);
    const request = service.remediate.requestDeserialize(requestOf({ a: secret("b") }));
    expect(request.getProperties()?.toJavaScript()).toEqual({ a: secret("b") });
  });

  it("do not count as kept if the service has no such method, or if a mark is not in the properties", () => {
    expect(keepSecretMarks({}).kept("urn:0")).toBe(false);
    const service = ownService();
    const marks = keepSecretMarks(service);
    const request = new AnalyzeRequest();
    request.setUrn("urn:0");
    request.setName("1b47061264138c4ac30d75fd1eb44270");
    service.analyze.requestDeserialize(Buffer.from(request.serializeBinary()));
    expect(marks.kept("urn:0")).toBe(false);
  });
});

/** One run of the pack as the policy library does it, with the values that it passes. */
function run(resources: readonly Resource[], marks: SecretMarks) {
  const session = new Session("");
  session.marks = marks;
  const reports: { policy: string; message: string; urn: string | undefined }[] = [];
  const reporting =
    (policy: string): ReportViolation =>
    (message, urn) =>
      void reports.push({ policy, message: String(message), urn });
  const all = policies(session) as Policy[];
  const shown = resources.map((one) => ({
    urn: one.origin.urn,
    type: one.type,
    name: one.name,
    props: one.properties,
    opts: {},
    propertyDependencies: {},
  }));
  const getConfig = () => ({});
  for (const one of shown)
    for (const { name, validateResource } of all)
      for (const validate of [validateResource ?? []].flat())
        void validate({ ...one, getConfig } as unknown as ResourceValidationArgs, reporting(name));
  for (const { name, validateStack } of all)
    void validateStack?.({ resources: shown, getConfig } as unknown as StackValidationArgs, reporting(name));
  return reports;
}

const kept: SecretMarks = { kept: () => true };
const open = (block: PropertyValue): Resource => group("hosts", [{ ...tcp(8091), cidrBlocks: [block] }]);

describe("the policy pack and secrets", () => {
  it("reports a secret block under port-public, with its path", () => {
    const found = run([hostedCluster(), open("[secret]")], kept);
    expect(found.filter(({ policy }) => policy === "port-public")).toMatchObject([
      {
        message: expect.stringContaining(
          "ingress[0].cidrBlocks[0]: unknown (secret) in SecurityGroup hosts",
        ) as string,
        urn: open("[secret]").origin.urn,
      },
    ]);
  });

  it("prints no value if the marks are not kept, and reports that once", () => {
    const resources = [
      hostedCluster(),
      open("0.0.0.0/0"),
      resource(TYPE.subnet, "bad", { cidrBlock: "198.51.100/24", tags: { "198.51.100.7": "x" } }),
    ];
    expect(run(resources, kept).some(({ message }) => message.includes("0.0.0.0/0"))).toBe(true);
    const found = run(resources, { kept: () => false });
    const text = found.map(({ message }) => message).join("\n");
    expect(text).not.toMatch(/198\.51|(?<!\d)0\.0\.0\.0|203\.0\.113/);
    const public_ = found.filter(({ policy }) => policy === "port-public");
    expect(public_).toMatchObject([
      { message: expect.stringMatching(/^ingress: violated: Port for workers/) as string },
    ]);
    expect(found.filter(({ message }) => message.includes("no values are shown"))).toHaveLength(1);
  });
});
