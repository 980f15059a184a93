import { ingressFaults } from "../../src/isolation/documentedFlows";
import { isolationPolicies } from "../../src/isolation/judge";
import type { IsolationPolicy, PolicyRule } from "../../src/isolation/networkPolicy";
import { Direction, Protocol } from "../../src/requirements/vocabulary";
import { machines, normal } from "../topology/topologies";

const topology = normal({ platform: "Agent", ...machines });
const NOT_KNOWN = "not known";
const proofOf = (
  own: readonly IsolationPolicy[],
  others: readonly IsolationPolicy[] | typeof NOT_KNOWN = [],
) =>
  ingressFaults({ own, others: others === NOT_KNOWN ? undefined : others }, topology, {})?.map(
    ({ path, problem, remedy }) => `${path}  ${problem}: ${remedy}`,
  );
const all = isolationPolicies(topology);
const REPORT =
  "report this bug in hypershift-network with the topology: the policies derived from it are wrong";
const named = (name: string): IsolationPolicy => all.find((policy) => policy.name === name)!;
const without = (name: string) => all.filter((policy) => policy.name !== name);
const widened = (name: string, change: (rule: PolicyRule) => PolicyRule) =>
  all.map((policy) =>
    policy.name === name ? { ...policy, ingress: (policy[Direction.Ingress] ?? []).map(change) } : policy,
  );

describe("policies that follow from a topology", () => {
  it("allow every documented flow, and nothing else", () => {
    expect(proofOf(all)).toEqual([]);
  });

  it.each(all.filter(({ ingress }) => ingress?.length !== 0).map(({ name }) => [name]))(
    "block a flow without %s, and the fault names the flow and the policy",
    (name) => {
      const { purpose, requirements } = named(name);
      const [fault, ...more] = proofOf(without(name))!.filter((text) => text.includes(`${name} should`));
      expect(fault).toContain(`topology  would block this flow: `);
      // The flow through the router is reported service by service.
      if (name !== "isolation-ingress-router") {
        expect(fault).toContain(
          `${purpose}${requirements.length > 0 ? ` (${requirements.join(", ")})` : ""}: `,
        );
        expect(more).toEqual([]);
      }
    },
  );

  it("yield a fault that names the packet that would be dropped", () => {
    expect(proofOf(without("isolation-kube-apiserver"))).toEqual([
      `topology  would block this flow: Everybody reaches the tenant's API server pod (iso-kas): no policy allows TCP 6443 into pods with app=kube-apiserver, but isolation-kube-apiserver should: add a policy to additionalPolicies, and ${REPORT}`,
    ]);
    expect(proofOf(without("isolation-operators"))).toEqual([
      `topology  would block this flow: Operators of the management cluster reach every pod of the hosted control plane namespace (mg-to-hcp): no policy allows any packet of it into pods without labels that a policy names, but isolation-operators should: add a policy to additionalPolicies, and ${REPORT}`,
    ]);
  });

  it("yield a fault with an arbitrary port as example if the flow has no ports", () => {
    const kubeVirt = normal({ platform: "KubeVirt", ...machines });
    const rest = isolationPolicies(kubeVirt).filter(({ name }) => name !== "isolation-virt-launcher");
    expect(ingressFaults({ own: rest, others: [] }, kubeVirt, {})?.map(({ problem }) => problem)).toEqual([
      "would block this flow: Everybody reaches the virtual machines, which are the compute nodes: no policy allows TCP 1 into pods with kubevirt.io=virt-launcher, but isolation-virt-launcher should",
    ]);
  });

  it("may be completed by a policy of the user, even by one that is not known yet", () => {
    const rest = without("isolation-kube-apiserver");
    expect(proofOf(rest, [named("isolation-kube-apiserver")])).toEqual([]);
    expect(proofOf(rest, NOT_KNOWN)).toEqual([]);
  });

  it("are refused if they leave a pod open to everybody", () => {
    const selecting = all.filter(({ pods }) => Object.keys(pods).length > 0);
    expect(proofOf(selecting, NOT_KNOWN)).toEqual([
      `topology  would leave pods without labels that a policy names open to everybody: ${REPORT}`,
    ]);
  });

  it("are refused if they allow more, and the fault names source, pods and ports", () => {
    const everybody = widened("isolation-monitoring", ({ ports }) => ({ ...(ports && { ports }) }));
    expect(proofOf(everybody)).toEqual([
      `topology  isolation-monitoring would let 0.0.0.0/0 reach pods without labels that a policy names on every protocol, which no document requires: ${REPORT}`,
    ]);
    const wider = widened("isolation-kube-apiserver", (rule) => ({
      ...rule,
      ports: [{ protocol: Protocol.Tcp, port: 6443, endPort: 6444 }],
    }));
    expect(proofOf(wider)).toEqual([
      `topology  isolation-kube-apiserver would let 0.0.0.0/0 reach pods with app=kube-apiserver on TCP 6444, which no document requires: ${REPORT}`,
    ]);
    // The policy opens as much, whatever the user adds.
    expect(proofOf(wider, NOT_KNOWN)).toEqual(proofOf(wider));
  });

  it("may be widened by policies of the user", () => {
    const ingress: PolicyRule[] = [{}];
    expect(proofOf(all, [{ ...named("isolation-monitoring"), name: "mine", ingress }])).toEqual([]);
  });

  it("are not judged if they distinguish too many pods to check each of them", () => {
    const pods = {
      matchLabels: Object.fromEntries(Array.from({ length: 20 }, (_, key) => [`key-${key}`, "a"])),
    };
    expect(proofOf(all, [{ ...named("isolation-monitoring"), pods, name: "mine" }])).toBeUndefined();
  });
});

it.each(["AWS", "KubeVirt", "Agent"])("operators in other namespaces are allowed on %s", (platform) => {
  const options = { operatorNamespaces: ["operators"] };
  const cluster = normal({ platform, ...machines });
  expect(ingressFaults({ own: isolationPolicies(cluster, options), others: [] }, cluster, options)).toEqual(
    [],
  );
});
