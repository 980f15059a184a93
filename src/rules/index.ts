import { cidrInvalid } from "./cidrInvalid";
import { cidrOverlap } from "./cidrOverlap";
import { cidrReservedOverlap } from "./cidrReservedOverlap";
import { ovnSubnetInvalid } from "./ovnSubnetInvalid";
import { portLocalhostOnly } from "./portLocalhostOnly";
import { portMissing } from "./portMissing";
import { portPublic } from "./portPublic";
import type { Rule } from "./rule";
import { serviceTrafficPolicy } from "./serviceTrafficPolicy";

/** Every rule, in the order in which findings are listed. */
export const rules: readonly Rule[] = [
  cidrInvalid,
  cidrOverlap,
  cidrReservedOverlap,
  ovnSubnetInvalid,
  portMissing,
  portPublic,
  portLocalhostOnly,
  serviceTrafficPolicy,
];

export * from "./clusters";
export * from "./configuration";
export * from "./judgedResources";
export * from "./rule";
