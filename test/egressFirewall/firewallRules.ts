import { judgeEgressFirewall } from "../../src/egressFirewall/judge";
import { type PropertyValue } from "../../src/resources/resource";

export const allow = (cidr: PropertyValue, ports?: PropertyValue): PropertyValue => ({
  type: "Allow",
  cidr,
  ...(ports !== undefined && { ports }),
});

export const deny = (cidr: PropertyValue, ports?: PropertyValue): PropertyValue => ({
  type: "Deny",
  cidr,
  ...(ports !== undefined && { ports }),
});

export const https = [{ port: 443, protocol: "TCP" }];

export const judge = (rules: PropertyValue, more: Record<string, PropertyValue> = {}) =>
  judgeEgressFirewall({ namespace: "tenant-a", rules, ...more });

export const faults = (rules: PropertyValue, more?: Record<string, PropertyValue>) =>
  judge(rules, more).faults.map(({ path, problem }) => `${path} ${problem}`);
