import { EC2Client, type EC2ClientConfig, type ResourceType } from "@aws-sdk/client-ec2";

import { untilFree } from "./awsError";
import { callerIdentity } from "./identity";
import type { Call, Tags } from "./kind";
import { markOf, Ownership } from "./ownership";
import { toTagList } from "./tags";

/** The provider's settings, as the official provider reads them. */
export interface ProviderConfig {
  region?: string;
  accessKey?: string;
  secretKey?: string;
  token?: string;
  profile?: string;
  maxRetries?: number;
  endpoint?: string;
  defaultTags: Tags;
}

/** The longest wait for dependents of an object that is being deleted, unless the resource sets one. */
const DELETE_LIMIT_MS = 120_000;

/** The connection to EC2: one client and one set of ownership marks for each region. */
export class Session {
  private readonly clients = new Map<string, EC2Client>();
  private readonly owners = new Map<string, Ownership>();
  private identity?: ReturnType<typeof callerIdentity>;

  constructor(readonly config: ProviderConfig) {}

  /** The region of a resource: its own, else the provider's, else the environment's. */
  region(own?: string): string {
    const region = own ?? this.config.region ?? process.env.AWS_REGION ?? process.env.AWS_DEFAULT_REGION;
    if (region === undefined || region === "") {
      throw new Error("no AWS region: set aws:region in the stack's configuration, or AWS_REGION");
    }
    return region;
  }

  ec2(region: string): EC2Client {
    const client = this.clients.get(region) ?? new EC2Client(this.clientConfig(region));
    this.clients.set(region, client);
    return client;
  }

  ownership(region: string): Ownership {
    const ownership = this.owners.get(region) ?? new Ownership(this.ec2(region));
    this.owners.set(region, ownership);
    return ownership;
  }

  caller() {
    this.identity ??= callerIdentity(this.ec2(this.region()), this.config.endpoint);
    return this.identity;
  }

  /** What a kind needs for a call. `tags` are all the tags of a new object. */
  call(urn: string, region: string, tags: Tags, deleteLimit = DELETE_LIMIT_MS): Call {
    return {
      ec2: this.ec2(region),
      region,
      urn,
      account: async () => (await this.caller()).accountId,
      tagSpecifications: (type: ResourceType) => [
        { ResourceType: type, Tags: [...toTagList(tags), markOf(urn)] },
      ],
      untilFree: (remove) => untilFree(remove, deleteLimit),
    };
  }

  /** The engine ended normally: everything that it was told is in its state. */
  async confirm(): Promise<void> {
    await Promise.all([...this.owners.values()].map((ownership) => ownership.confirm()));
  }

  private clientConfig(region: string): EC2ClientConfig {
    const { accessKey, secretKey, token, profile, maxRetries, endpoint } = this.config;
    return {
      region,
      ...(endpoint && { endpoint }),
      ...(profile && { profile }),
      ...(maxRetries !== undefined && { maxAttempts: maxRetries + 1 }),
      ...(accessKey &&
        secretKey && {
          credentials: {
            accessKeyId: accessKey,
            secretAccessKey: secretKey,
            ...(token && { sessionToken: token }),
          },
        }),
    };
  }
}
