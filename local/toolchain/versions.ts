/** The versions that a run installs or builds if the machine has none. */
export const PULUMI_VERSION = "3.246.0";
/** The lowest version of `pulumi` on PATH that is accepted: the oldest engine that the test suite has run on. */
export const LOWEST_PULUMI_VERSION = "3.200.0";
export const KUBERNETES_VERSION = "1.34.1";
/** The version of the Kubernetes staging modules. */
export const KUBERNETES_STAGING_VERSION = "0.34.1";
/** The version that kubectl of that release is built with. */
export const SIGS_YAML_VERSION = "1.6.0";
export const ETCD_VERSION = "3.6.4";
export const MOTO_VERSION = "5.2.1";
/** The newest language host for YAML that is published as a Go module. */
export const PULUMI_YAML_VERSION = "1.25.0";
/** The packages that check and run programs in Python. */
export const PYTHON_PACKAGES = [
  "pulumi==3.272.0",
  "pulumi-aws==7.51.1",
  "pulumi-kubernetes==4.34.2",
  "mypy==2.4.1",
];
