import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import * as aws from "@pulumi/aws";
import * as kubernetes from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";

import type { Session } from "../../local/session";
import { component, componentNames, minimalArgs, type ComponentName } from "../components/minimalArgs";
import { Bench, fine, OWN_PROVIDERS } from "./conformance/kubernetesBench";
import { PlayedOpenShift } from "./networkTypeMigration/playedOpenShift";
import { sharedSession } from "./sharedSession";
import type { StateResource } from "./storedState";

/** The resource options that the engine passes from a component to its children, for every exported component. */
describe("every exported component", () => {
  const folder = mkdtempSync(join(tmpdir(), "component-options-"));
  let session: Session;
  let bench: Bench;

  /** Each component with its own providers, because a program can have some components only once per cluster. */
  const program =
    (options: (className: ComponentName) => [string, pulumi.ComponentResourceOptions]) => () => {
      for (const className of componentNames()) {
        const [name, opts] = options(className);
        const providers = [
          new aws.Provider(`aws-of-${className}`, { region: "us-east-1" }),
          new kubernetes.Provider(`kubernetes-of-${className}`, { kubeconfig: "{}" }),
        ];
        component(className, name, { ...opts, providers }, argsOf(className));
      }
      return Promise.resolve();
    };
  /** The minimal args; a component that reads the API server itself gets this session's kubeconfig. */
  const argsOf = (className: ComponentName): object => {
    const args: object = minimalArgs[className]();
    return "kubeconfig" in args ? { ...args, kubeconfig: readFileSync(session.kubeconfig, "utf8") } : args;
  };
  const mark =
    (className: string): pulumi.ResourceTransform =>
    ({ props, opts }) => ({ props: { ...(props as object), markedBy: className }, opts });
  const kebab = (className: string) => className.replace(/[A-Z]+/g, (letters) => `-${letters.toLowerCase()}`);
  const before = (className: ComponentName): [string, pulumi.ComponentResourceOptions] => [
    `before${kebab(className)}`,
    { protect: true, transforms: [mark(className)] },
  ];

  /** The resources below a component in the state, without the component itself. */
  const childrenOf = (className: ComponentName) =>
    bench
      .resources()
      .filter(({ urn }) => urn.split("::")[2]!.startsWith(`hypershift-network:index:${className}$`));
  const namesOf = (resources: StateResource[]) =>
    resources.map(({ urn }) => urn.split("::").slice(2).join(" "));

  beforeAll(async () => {
    session = await sharedSession(folder);
    for (const name of ["aws", "kubernetes"]) {
      const file = join(folder, "bin", `pulumi-resource-${name}`);
      const script = join(__dirname, "componentOptions", "echoProvider.cjs");
      writeFileSync(file, `#!/bin/sh\nexec "${process.execPath}" "${script}" ${name} "$@"\n`);
      chmodSync(file, 0o700);
    }
    const proxy = {
      apiVersion: "config.openshift.io/v1",
      kind: "Proxy",
      metadata: { name: "cluster" },
      spec: {},
    };
    await session.kubernetes.request("POST", "/apis/config.openshift.io/v1/proxies", proxy);
    // A migration is refused if a node is not ready.
    const played = await PlayedOpenShift.install(session);
    for (const [place, { name }] of (minimalArgs.DedicatedControlPlaneNodes().nodes ?? []).entries())
      await played.node(name, "worker", `10.0.1.${place + 1}`);
    // With the providers of this test.
    bench = await Bench.open(session, "options", OWN_PROVIDERS);
    fine(await bench.up(program(before)));
  });
  afterAll(async () => {
    bench?.close();
    await session?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test.each(componentNames())("%s passes protect, transforms and providers to its children", (className) => {
    const children = childrenOf(className);
    expect(children.length).toBeGreaterThan(0);
    expect(namesOf(children.filter(({ protect }) => protect !== true))).toEqual([]);
    expect(namesOf(children.filter(({ inputs }) => inputs?.markedBy !== className))).toEqual([]);
    const others = children.filter(({ custom, type, provider = "" }) => {
      const [packageName] = type.split(":");
      const given = packageName === "aws" || packageName === "kubernetes";
      return custom && given && !provider.includes(`${packageName}-of-${className}::`);
    });
    expect(namesOf(others)).toEqual([]);
  });

  test("keeps its children when it is renamed with an alias", async () => {
    const renamed = program((className) => {
      const [old, opts] = before(className);
      return [`after${kebab(className)}`, { ...opts, aliases: [{ name: old }] }];
    });
    const { changes } = fine(await bench.preview(renamed));
    const { same: _, update: __, ...others } = changes;
    expect(others).toEqual({});
  });
});
