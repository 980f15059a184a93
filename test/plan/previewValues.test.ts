import { UNKNOWN } from "../../src/resources/resource";
import { TYPE } from "../../src/resources/resourceTypes";
import { group, PlanFolder, rule } from "./planFolder";
import { NOT_KNOWN, preview, state, step, urn } from "./plans";

const given = new PlanFolder();
const resources = (text: string, options?: object) => given.resources(text, options);

describe("pulumi preview --json", () => {
  it("joins resources through property dependencies, because IDs are not known yet", async () => {
    const [, split] = await resources(
      preview([step("create", group()), step("create", rule("10.0.0.0/16"))]),
    );
    expect(split).toMatchObject({
      origin: { urn: urn(TYPE.ingressRule, "in-443") },
      properties: { securityGroupId: UNKNOWN },
      propertyDependencies: { securityGroupId: [urn(TYPE.securityGroup, "hosts")] },
    });
  });

  it("reads a secret as unknown and counts it, in every notation", async () => {
    const signed = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };
    const secrets = ["[secret]", { ...signed, ciphertext: "hunter2" }, { ...signed, plaintext: '"hunter2"' }];
    given.folder.write(
      "plan.json",
      preview(secrets.map((one, n) => step("create", rule(one, `secret-${n}`)))),
    );
    const inputs = await given.folder.read(["plan.json"]);
    expect(inputs.resources.map(({ properties }) => properties.cidrIpv4)).toEqual([
      UNKNOWN,
      UNKNOWN,
      UNKNOWN,
    ]);
    expect(inputs.resources.map(({ secrets }) => secrets)).toEqual(secrets.map(() => ["cidrIpv4"]));
    expect(inputs.notes).toEqual([expect.stringContaining("3 resources have secret values")]);
    expect(JSON.stringify([inputs.resources, inputs.notes])).not.toContain("hunter2");
  });

  describe("a secret input", () => {
    const secret = {
      "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
      ciphertext: "x",
    };
    const shown = async (inputs: object, outputs: object) => {
      const [one] = await resources(
        preview([step("create", state(TYPE.securityGroup, "hosts", inputs, { outputs }))]),
      );
      return { properties: one!.properties, secrets: one!.secrets };
    };
    const ingress = (...cidrBlocks: unknown[]) => ({ ingress: [{ fromPort: 1, cidrBlocks }] });
    const tagged = (tag: unknown) => ({ tags: { "example.com/a": tag } });

    it("stays secret if a provider returns it in the clear, and its path is reported", async () => {
      expect(await shown(tagged(secret), tagged("hunter2"))).toEqual({
        properties: tagged(UNKNOWN),
        secrets: ['tags["example.com/a"]'],
      });
    });

    it("makes its whole list secret, because that may have another order now", async () => {
      expect(await shown(ingress("10.0.0.0/8", secret), ingress("192.0.2.0/24", "10.0.0.0/8"))).toEqual({
        properties: { ingress: UNKNOWN },
        secrets: ["ingress"],
      });
    });

    it("keeps the rest of a list in which the engine marked the secret", async () => {
      expect(await shown(ingress("10.0.0.0/8", secret), ingress(secret, "10.0.0.0/8"))).toEqual({
        properties: ingress(UNKNOWN, "10.0.0.0/8"),
        secrets: ["ingress[0].cidrBlocks[0]"],
      });
    });

    it("is not needed if an output is marked as secret: the clear input is hidden too", async () => {
      expect(await shown(tagged("hunter2"), tagged(secret))).toEqual({
        properties: tagged(UNKNOWN),
        secrets: ['tags["example.com/a"]'],
      });
    });
  });

  it("reads assets, resource references and unknown outputs of the engine", async () => {
    const signature = "4dabf18193072939515e22adb298388d";
    const [one] = await resources(
      preview([
        step(
          "create",
          state("test:index:Thing", "thing", {
            later: { [signature]: "d0e6a833031e9bbcd3f4e8bde6ca49a4" },
            now: { [signature]: "d0e6a833031e9bbcd3f4e8bde6ca49a4", value: ["a", NOT_KNOWN] },
            asset: { [signature]: "c44067f5952c0a294b673a41bacd8c17", text: "hunter2" },
            reference: { [signature]: "5cf8f73096256a8f31e491e813e4eb8e", id: "sg-1" },
          }),
        ),
      ]),
    );
    expect(one!.properties).toEqual({ later: UNKNOWN, now: ["a", UNKNOWN], asset: null, reference: "sg-1" });
  });

  it("leaves out unknown outputs, keeps inputs, and adds the ID as a property", async () => {
    const [one] = await resources(
      preview([
        step(
          "update",
          state(
            TYPE.ingressRule,
            "rule",
            { cidrIpv4: NOT_KNOWN, fromPort: 1 },
            {
              id: "sgr-1",
              outputs: { cidrIpv4: NOT_KNOWN, fromPort: 1, arn: NOT_KNOWN },
            },
          ),
        ),
      ]),
    );
    expect(one!.properties).toEqual({ cidrIpv4: UNKNOWN, fromPort: 1, id: "sgr-1" });
  });
});
