/**
 * The gate for a network that is written without this package's components: security groups by hand, and next to them
 * hypershift-network.yaml, which states which hosted cluster they serve, how strictly each rule is enforced and what is accepted.
 *
 *   export HYPERSHIFT_NETWORK_CONFIG=$PWD/hypershift-network.yaml
 *   pulumi preview --policy-pack ../../policy                             the gate
 *   pulumi up --skip-preview --policy-pack ../../policy
 *   pulumi preview --json --show-sames | npx hypershift-network check -   the same without the engine: it finds the file in this folder
 *   pulumi config set monitoring 10.9.0.16/28 && pulumi up      changes a rule in place, and the exemption covers it still
 *
 * The rule for monitoring opens a port that no document asks for. hypershift-network.yaml makes that an error, and accepts it by name:
 *
 * Expected finding `exemptions`: the pack counts what is accepted and repeats the reason, so that it is not forgotten
 */
import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";

const config = new pulumi.Config();
const workers = "10.0.0.0/16";
const monitoring = config.get("monitoring") ?? "10.9.0.0/28";

const vpc = new aws.ec2.Vpc("management", { cidrBlock: "10.1.0.0/16" });
const hosts = new aws.ec2.SecurityGroup("hosts", {
  vpcId: vpc.id,
  description: "Hosts of the control plane of tenant-a",
});

const ingress = (name: string, port: number, cidrIpv4: string) =>
  new aws.vpc.SecurityGroupIngressRule(name, {
    securityGroupId: hosts.id,
    ipProtocol: "tcp",
    fromPort: port,
    toPort: port,
    cidrIpv4,
  });
ingress("in-router", 443, workers);
ingress("in-api-server", 6443, workers);
ingress("in-metrics", 9100, monitoring);

const egress = (name: string, ipProtocol: string, port: number, cidrIpv4: string) =>
  new aws.vpc.SecurityGroupEgressRule(name, {
    securityGroupId: hosts.id,
    ipProtocol,
    fromPort: port,
    toPort: port,
    cidrIpv4,
  });
egress("out-https", "tcp", 443, "0.0.0.0/0");
egress("out-api-server", "tcp", 6443, "10.1.0.0/16");
egress("out-dns-tcp", "tcp", 53, "10.1.0.2/32");
egress("out-dns-udp", "udp", 53, "10.1.0.2/32");

export const group = hosts.id;
