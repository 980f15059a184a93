import {
  DROPPED_CAPABILITIES,
  PodSecurityLevel,
  podConstraints,
  podSecurity,
  podSecurityLabels,
  selinuxContexts,
} from "../../src/requirements/podIsolation";

const constraint = (id: string) => podConstraints.find((one) => one.id === id);

describe("M13 control-plane pod isolation", () => {
  it.each([
    ["pod-privileged", "securityContext.privileged"],
    ["pod-host-path", "spec.volumes[].hostPath"],
    ["pod-host-network", "spec.hostNetwork"],
    ["pod-host-port", "ports[].hostPort"],
    ["pod-host-pid", "spec.hostPID"],
    ["pod-capabilities", "securityContext.capabilities.drop"],
  ])("%s constrains the field %s", (id, field) => {
    expect(constraint(id)?.fields).toEqual([field]);
  });

  it("users and SELinux categories are those that OpenShift allocates to the namespace", () => {
    expect(constraint("pod-user")?.allocatedBy).toBe("openshift.io/sa.scc.uid-range");
    expect(constraint("pod-selinux")?.allocatedBy).toBe("openshift.io/sa.scc.mcs");
  });

  it("containers drop KILL, MKNOD, SETUID and SETGID", () => {
    expect(DROPPED_CAPABILITIES).toEqual(["KILL", "MKNOD", "SETUID", "SETGID"]);
    expect(constraint("pod-capabilities")?.demand).toContain("KILL, MKNOD, SETUID, SETGID");
  });

  it("kubelet and CRI-O have SELinux contexts different from those of containers", () => {
    expect(Object.fromEntries(selinuxContexts.map(({ subject, context }) => [subject, context]))).toEqual({
      kubelet: "system_u:system_r:unconfined_service_t:s0",
      crio: "system_u:system_r:container_runtime_t:s0",
      "crio.sock": "system_u:object_r:container_var_run_t:s0",
      "processes of a container, for example": "system_u:system_r:container_t:s0:c14,c24",
    });
  });

  it("every constraint has documents and a unique id", () => {
    expect(podConstraints.every(({ documents }) => documents.length > 0)).toBe(true);
    expect(new Set(podConstraints.map(({ id }) => id)).size).toBe(podConstraints.length);
  });

  it("the namespace has Pod Security labels, which only HyperShift's annotation overrides", () => {
    expect(podSecurityLabels(PodSecurityLevel.Restricted)).toEqual({
      "pod-security.kubernetes.io/enforce": "restricted",
      "pod-security.kubernetes.io/audit": "restricted",
      "pod-security.kubernetes.io/warn": "restricted",
      "security.openshift.io/scc.podSecurityLabelSync": "false",
    });
    expect(podSecurity.overrideAnnotation).toBe(
      "hypershift.openshift.io/pod-security-admission-label-override",
    );
    // Kubernetes accepts levels only in lowercase, and HyperShift copies the annotation unchanged.
    expect(Object.values(PodSecurityLevel)).toEqual(["restricted", "baseline", "privileged"]);
  });
});
