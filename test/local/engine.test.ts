import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

import { sessionEnvironment } from "../../local/environment";
import { writeBinFolder } from "../../local/engine/binFolder";
import { choosePlugins, type ProviderPlugin } from "../../local/engine/plugins";
import { repositoryRoot } from "../../local/repository";
import { onPath } from "../../local/toolchain/command";

const original = { ...process.env };
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "engine-"));
  process.env.PULUMI_HOME = join(folder, "home");
});
afterEach(() => {
  process.env = { ...original };
  rmSync(folder, { recursive: true, force: true });
});

function executable(name: string): string {
  const bin = join(folder, "own-bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, name), "#!/bin/sh\n");
  chmodSync(join(bin, name), 0o755);
  process.env.PATH = [bin, original.PATH].join(delimiter);
  return join(bin, name);
}

const standIn = (name: "aws" | "kubernetes"): ProviderPlugin => ({
  name,
  kind: "stand-in",
  from: join(repositoryRoot, "dist", "local", "plugins", name, "main.js"),
});

describe("provider plugins", () => {
  test("are the stand-ins if no official plugin is found", () => {
    expect(choosePlugins("official")).toEqual([standIn("aws"), standIn("kubernetes")]);
  });

  test("are the official ones on PATH, chosen for each provider separately", () => {
    const aws = executable("pulumi-resource-aws");
    expect(choosePlugins("official")).toEqual([
      { name: "aws", kind: "official", from: aws },
      standIn("kubernetes"),
    ]);
    expect(choosePlugins("stand-in")).toEqual([standIn("aws"), standIn("kubernetes")]);
  });

  test.each([
    ["the SDK's own version", "same", true],
    ["a newer version with the same major version", "999.0", true],
    ["an older version", "0.0", false],
    ["another major version", "major", false],
  ] as const)(
    "installed in Pulumi's home are used or not, depending on their version: %s: %s",
    (_name, which, taken) => {
      const file = join(repositoryRoot, "node_modules", "@pulumi", "aws", "package.json");
      const { version } = JSON.parse(readFileSync(file, "utf8")) as { version: string };
      const [major] = version.split(".");
      const installed =
        { same: version, major: `${Number(major) - 1}.999.0` }[which as string] ?? `${major}.${which}`;
      mkdirSync(join(folder, "home", "plugins", `resource-aws-v${installed}`), { recursive: true });
      expect(choosePlugins("official")[0]?.kind).toBe(taken ? "official" : "stand-in");
    },
  );

  test("of an enclosing session do not count as official plugins", () => {
    const bin = join(folder, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "pulumi-resource-aws"), "#!/bin/sh\n", { mode: 0o755 });
    process.env.PATH = [bin, original.PATH].join(delimiter);
    expect(onPath("pulumi-resource-aws")).toBe(join(bin, "pulumi-resource-aws"));
    process.env.HYPERSHIFT_NETWORK_RECORDS = join(folder, "processes");
    expect(onPath("pulumi-resource-aws")).toBeUndefined();
  });
});

describe("the commands of a session", () => {
  const pulumi = (ownLanguageHost: boolean) => ({
    command: executable("pulumi"),
    version: "3.246.0",
    ownLanguageHost,
  });

  test("are pulumi, a language host and the stand-ins", () => {
    const bin = join(folder, "bin");
    writeBinFolder({ folder: bin, pulumi: pulumi(false), plugins: choosePlugins("stand-in") });
    const policies = ["pulumi-analyzer-policy-nodejs", "pulumi-analyzer-policy"];
    const providers = ["aws", "kubernetes", "pulumi-nodejs"].map((name) => `pulumi-resource-${name}`);
    for (const name of ["pulumi", "pulumi-language-nodejs", ...policies, ...providers]) {
      expect(onPath(name, bin)).toBe(join(bin, name));
    }
  });

  test("omit the language host and plugins that Pulumi provides itself", () => {
    const bin = join(folder, "bin");
    const official: ProviderPlugin = { name: "aws", kind: "official", from: "/elsewhere" };
    writeBinFolder({ folder: bin, pulumi: pulumi(true), plugins: [official, standIn("kubernetes")] });
    expect(onPath("pulumi-language-nodejs", bin)).toBeUndefined();
    expect(onPath("pulumi-resource-pulumi-nodejs", bin)).toBeUndefined();
    expect(onPath("pulumi-resource-aws", bin)).toBeUndefined();
    expect(onPath("pulumi-resource-kubernetes", bin)).toBeDefined();
  });
});

describe("the environment of a session", () => {
  const environment = (plugins: ProviderPlugin[] = []) =>
    sessionEnvironment({
      stateFolder: folder,
      pulumi: { command: "/opt/pulumi/pulumi", version: "3.246.0", ownLanguageHost: true },
      plugins,
      kubeconfig: join(folder, "kubeconfig"),
      ec2: {
        endpoint: "http://127.0.0.1:1",
        accessKeyId: "key",
        secretAccessKey: "secret",
        stop: () => Promise.resolve(),
      },
    });

  test("points only to this machine, whatever the user's environment sets", () => {
    Object.assign(process.env, {
      AWS_PROFILE: "production",
      AWS_SESSION_TOKEN: "token",
      AWS_ENDPOINT_URL_EC2: "https://ec2.amazonaws.com",
      PULUMI_ACCESS_TOKEN: "token",
      PULUMI_BACKEND_URL: "s3://company",
      PULUMI_CONFIG_PASSPHRASE: "their own",
    });
    const env = environment();
    expect(env).toMatchObject({ AWS_PROFILE: "", AWS_SESSION_TOKEN: "", PULUMI_ACCESS_TOKEN: "" });
    expect(env.AWS_ENDPOINT_URL_EC2).toBe("http://127.0.0.1:1");
    expect(env.PULUMI_BACKEND_URL).toBe(`file://${join(folder, "pulumi-state")}?metadata=skip`);
    expect(env.PULUMI_CONFIG_PASSPHRASE).toBe(readFileSync(join(folder, "passphrase"), "utf8"));
    expect(env.PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION).toBe("true");
  });

  test("keeps the same passphrase across starts, readable only by the user", () => {
    environment();
    const first = readFileSync(join(folder, "passphrase"), "utf8");
    environment();
    expect(readFileSync(join(folder, "passphrase"), "utf8")).toBe(first);
    expect(statSync(join(folder, "passphrase")).mode & 0o077).toBe(0);
  });

  test("has its own Pulumi home unless plugins of the user's home are used", () => {
    expect(environment().PULUMI_HOME).toBe(join(folder, "pulumi-home"));
    const plugin: ProviderPlugin = {
      name: "aws",
      kind: "official",
      from: join(folder, "home", "plugins", "x"),
    };
    expect(environment([plugin]).PULUMI_HOME).toBe(join(folder, "home"));
  });
});
