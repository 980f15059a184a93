import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Session } from "../../local/session";
import { Platform } from "../../src/requirements/vocabulary";
import { refusedChanges, takenChanges } from "../rules/refusals/changes";
import { nodePoolOn, nodePoolSubnets } from "../rules/refusals/nodePools";
import { clusterWith, type Change } from "../rules/refusals/objects";
import { policiesTaken, policyRefusals, policyWith, type PolicyKind } from "../rules/refusals/policies";
import { accepted, refusals } from "../rules/refusals/table";
import { sharedSession } from "./sharedSession";

/** Checks against the real API server whether the tables that the rules are tested with are true. */
const folder = mkdtempSync(join(tmpdir(), "refusals-"));
const COLLECTION = "/apis/hypershift.openshift.io/v1beta1/namespaces/clusters/hostedclusters";
let session: Session;

beforeAll(async () => {
  session = await sharedSession(folder);
  const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "clusters" } };
  execFileSync("kubectl", ["apply", "-f", "-"], {
    env: { ...process.env, KUBECONFIG: session.kubeconfig },
    input: JSON.stringify(namespace),
  });
}, 900_000);
afterAll(async () => {
  await session?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const query = "?fieldManager=admin&fieldValidation=Strict";

async function create(object: object, more = "&dryRun=All"): Promise<[status: number, message: string]> {
  const { status, body } = await session.kubernetes.request("POST", COLLECTION + query + more, object);
  return [status, (body as { message?: string }).message ?? ""];
}

/** The server's answer to a cluster on a platform. OpenStack and GCP are only in the feature preview of the definition. */
const says = async (on: Platform, spec: Change) => create(clusterWith(on, spec));

test.each(refusals.filter(({ by }) => by === "API server"))(
  "the API server refuses $fact",
  async ({ on = Platform.AWS, spec }) => {
    expect(await says(on, spec)).toEqual([422, expect.stringContaining("is invalid")]);
  },
);

test.each(refusals.filter(({ by }) => by !== "API server"))(
  "the API server accepts what $by refuses: $fact",
  async ({ on = Platform.AWS, spec }) => {
    expect(await says(on, spec)).toEqual([201, ""]);
  },
);

test.each(accepted)("the API server accepts $what", async ({ on = Platform.AWS, spec }) => {
  expect(await says(on, spec)).toEqual([201, ""]);
});

test.each(nodePoolSubnets)(
  "the API server judges the subnet of machines on %s: %j",
  async (on, section, refused) => {
    const path = `${COLLECTION.replace("hostedclusters", "nodepools")}${query}&dryRun=All`;
    const { status } = await session.kubernetes.request("POST", path, nodePoolOn(on, section));
    expect(status).toBe(refused.length > 0 ? 422 : 201);
  },
);

describe("network policies", () => {
  const collections: Readonly<Record<PolicyKind, string>> = {
    NetworkPolicy: "/apis/networking.k8s.io/v1/namespaces/clusters/networkpolicies",
    AdminNetworkPolicy: "/apis/policy.networking.k8s.io/v1alpha1/adminnetworkpolicies",
    BaselineAdminNetworkPolicy: "/apis/policy.networking.k8s.io/v1alpha1/baselineadminnetworkpolicies",
    ClusterNetworkPolicy: "/apis/policy.networking.k8s.io/v1alpha2/clusternetworkpolicies",
  };
  const saidOf = async (kind: PolicyKind, change: Change): Promise<[status: number, message: string]> => {
    const path = `${collections[kind]}${query}&dryRun=All`;
    const { status, body } = await session.kubernetes.request("POST", path, policyWith(kind, change));
    return [status, (body as { message?: string }).message ?? ""];
  };
  test.each(policyRefusals.filter(({ by }) => by === "API server"))(
    "the API server refuses a $kind with $fact",
    async ({ kind, change }) => {
      // Values of a wrong type are refused before the object is validated, with a different status.
      const [status, message] = await saidOf(kind, change);
      expect([400, 422]).toContain(status);
      expect(message).not.toBe("");
    },
  );

  test.each(policyRefusals.filter(({ by }) => by !== "API server"))(
    "the API server accepts a $kind with $fact, which is not applied",
    async ({ kind, change }) => expect(await saidOf(kind, change)).toEqual([201, ""]),
  );

  test.each(policiesTaken)("the API server accepts a $kind with $what", async ({ kind, change }) => {
    expect(await saidOf(kind, change)).toEqual([201, ""]);
  });
});

describe("changes of a running cluster", () => {
  let number = 0;
  const change = async (on: Platform, before: Change, after: Change) => {
    const metadata = { name: `tenant-${++number}`, namespace: "clusters" };
    expect(await create({ ...clusterWith(on, before), metadata }, "")).toEqual([201, ""]);
    const path = `${COLLECTION}/${metadata.name}`;
    const { body } = await session.kubernetes.request("GET", path);
    const { resourceVersion } = (body as { metadata: { resourceVersion: string } }).metadata;
    const next = { ...clusterWith(on, after), metadata: { ...metadata, resourceVersion } };
    const answer = await session.kubernetes.request("PUT", path + query + "&dryRun=All", next);
    return [answer.status, (answer.body as { message?: string }).message ?? ""];
  };

  test.each(refusedChanges.filter(({ by }) => by === "API server"))(
    "are refused by the API server: $fact",
    async ({ on = Platform.AWS, before, after }) => {
      expect(await change(on, before, after)).toEqual([422, expect.stringContaining("is invalid")]);
    },
  );

  test.each(refusedChanges.filter(({ by }) => by === "nobody"))(
    "are accepted by the API server although they break the network: $fact",
    async ({ on = Platform.AWS, before, after }) => {
      expect((await change(on, before, after))[0]).toBe(200);
    },
  );

  test.each(takenChanges)(
    "are accepted by the API server: $what",
    async ({ on = Platform.AWS, before, after }) => {
      expect(await change(on, before, after)).toEqual([200, ""]);
    },
  );
});
