export type { Ec2Access } from "./ec2Api";
export * from "./readEc2";
