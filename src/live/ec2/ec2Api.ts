import type {
  DescribeManagedPrefixListsResult,
  EC2Client,
  Filter,
  ManagedPrefixList,
} from "@aws-sdk/client-ec2";

import { pushAll } from "../../collections";
import { FORBIDDEN, LiveFault } from "../../cluster/liveCluster";
import { SEARCHED } from "./transitGateways";

/** The part of an account that is read. */
export interface Ec2Access {
  /** Defaults to the region of the environment or the profile, as the AWS SDK finds it. */
  region?: string;
  /** Ids of VPCs. Default: all VPCs of the region. */
  vpcs?: readonly string[];
}

/** Loading the SDK takes a third of a second, so it is loaded only if EC2 is read. */
const loadSdk = () => {
  // Which versions of Node.js this package supports, it says itself; see package.json.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= "true";
  return import("@aws-sdk/client-ec2");
};

/** The error names with which EC2 refuses what a user may not do. */
const REFUSALS: ReadonlySet<string> = new Set([
  "UnauthorizedOperation",
  "AccessDenied",
  "AccessDeniedException",
]);

/** The maximum number of values of a filter. (EC2 API reference, Filter) */
const MOST_VALUES = 200;

/** The error names of the SDK for missing credentials: no request was sent yet. */
const NO_CREDENTIALS: ReadonlySet<string> = new Set(["CredentialsProviderError", "TokenProviderError"]);

/** The error names of EC2 for a caller that it does not recognize. */
const UNKNOWN_USER =
  /^(AuthFailure|InvalidClientTokenId|SignatureDoesNotMatch|RequestExpired|ExpiredToken|UnrecognizedClientException)/;

/** The EC2 API of a region, read-only. */
export class Ec2Api {
  /** Its name in messages. */
  readonly name: string;

  private constructor(
    private readonly sdk: Awaited<ReturnType<typeof loadSdk>>,
    private readonly client: EC2Client,
    readonly region: string,
    private readonly vpcs: readonly string[],
  ) {
    this.name = `the EC2 API of ${region}`;
  }

  /**
   * Uses the credentials, region and endpoint that the AWS SDK finds: environment, profile, role.
   *
   * @throws LiveFault if no region is set, or what is set is not the name of one
   */
  static async open({ region, vpcs = [] }: Ec2Access): Promise<Ec2Api> {
    const sdk = await loadSdk();
    const client = new sdk.EC2Client(region === undefined ? {} : { region });
    refuseForeignAnswers(client);
    try {
      return new Ec2Api(sdk, client, await client.config.region(), vpcs);
    } catch {
      const stated = region ?? process.env.AWS_REGION;
      throw stated
        ? new LiveFault(
            `${JSON.stringify(stated)} is not the name of a region`,
            "write a region such as us-east-1",
          )
        : new LiveFault("no region is set for the EC2 API", "use --region, or set AWS_REGION");
    }
  }

  /** The selected VPCs. */
  readonly vpcsThere = () =>
    this.#items("DescribeVpcs", this.sdk.paginateDescribeVpcs, this.#inVpcs(), ({ Vpcs }) => Vpcs);

  readonly subnets = () =>
    this.#items(
      "DescribeSubnets",
      this.sdk.paginateDescribeSubnets,
      this.#inVpcs(),
      ({ Subnets }) => Subnets,
    );

  readonly securityGroups = () =>
    this.#items(
      "DescribeSecurityGroups",
      this.sdk.paginateDescribeSecurityGroups,
      this.#inVpcs(),
      ({ SecurityGroups }) => SecurityGroups,
    );

  readonly networkAcls = () =>
    this.#items(
      "DescribeNetworkAcls",
      this.sdk.paginateDescribeNetworkAcls,
      this.#inVpcs(),
      ({ NetworkAcls }) => NetworkAcls,
    );

  readonly routeTables = () =>
    this.#items(
      "DescribeRouteTables",
      this.sdk.paginateDescribeRouteTables,
      this.#inVpcs(),
      ({ RouteTables }) => RouteTables,
      100,
    );

  /** The peerings of all VPCs: filters for both ends would have to match at the same time. */
  readonly peerings = () =>
    this.#items(
      "DescribeVpcPeeringConnections",
      this.sdk.paginateDescribeVpcPeeringConnections,
      {},
      ({ VpcPeeringConnections }) => VpcPeeringConnections,
    );

  /** The attachments of VPCs to transit gateways. */
  readonly transitGatewayAttachments = () =>
    this.#all("DescribeTransitGatewayAttachments", ({ paginateDescribeTransitGatewayAttachments }) =>
      paginateDescribeTransitGatewayAttachments(
        { client: this.client, pageSize: 1000 },
        { Filters: [...filter("resource-type", ["vpc"]), ...(this.#inVpcs("resource-id").Filters ?? [])] },
      ),
    ).then((pages) => pages.flatMap(({ TransitGatewayAttachments = [] }) => TransitGatewayAttachments));

  /** The route tables of this account's transit gateways: other accounts cannot see them. */
  readonly transitGatewayRouteTables = () =>
    this.#items(
      "DescribeTransitGatewayRouteTables",
      this.sdk.paginateDescribeTransitGatewayRouteTables,
      {},
      ({ TransitGatewayRouteTables }) => TransitGatewayRouteTables,
    );

  /** The active and blackhole routes of a transit gateway's route table, page by page. */
  readonly transitGatewayRoutes = (table: string) =>
    this.#all("SearchTransitGatewayRoutes", ({ paginateSearchTransitGatewayRoutes }) =>
      paginateSearchTransitGatewayRoutes(
        { client: this.client },
        { TransitGatewayRouteTableId: table, Filters: filter("state", SEARCHED) },
      ),
    );

  readonly vpnGateways = () =>
    this.#all("DescribeVpnGateways", ({ DescribeVpnGatewaysCommand }) =>
      inOnePage(() => this.client.send(new DescribeVpnGatewaysCommand(this.#inVpcs("attachment.vpc-id")))),
    ).then((pages) => pages.flatMap(({ VpnGateways = [] }) => VpnGateways));

  /** The VPN connections of all gateways: filters for both kinds of gateways would have to match at the same time. */
  readonly vpnConnections = () =>
    this.#all("DescribeVpnConnections", ({ DescribeVpnConnectionsCommand }) =>
      inOnePage(() => this.client.send(new DescribeVpnConnectionsCommand({}))),
    ).then((pages) => pages.flatMap(({ VpnConnections = [] }) => VpnConnections));

  /** The prefix lists with the given ids. */
  async prefixLists(ids: readonly string[]): Promise<ManagedPrefixList[]> {
    const found: ManagedPrefixList[] = [];
    for (let first = 0; first < ids.length; first += MOST_VALUES) {
      const asked = { Filters: filter("prefix-list-id", ids.slice(first, first + MOST_VALUES)) };
      const { paginateDescribeManagedPrefixLists: pages } = this.sdk;
      const listsOf = ({ PrefixLists }: DescribeManagedPrefixListsResult) => PrefixLists;
      pushAll(found, await this.#items("DescribeManagedPrefixLists", pages, asked, listsOf, 100));
    }
    return found;
  }

  readonly prefixListEntries = (id: string) => {
    const { paginateGetManagedPrefixListEntries: pages } = this.sdk;
    const asked = { PrefixListId: id };
    return this.#items("GetManagedPrefixListEntries", pages, asked, ({ Entries }) => Entries, 100);
  };

  #inVpcs(name = "vpc-id"): { Filters?: Filter[] } {
    return this.vpcs.length > 0 ? { Filters: filter(name, this.vpcs) } : {};
  }

  /** The items on all pages of an answer. */
  async #items<Input, Page, Item>(
    action: string,
    pagesOf: (config: { client: EC2Client; pageSize: number }, input: Input) => AsyncIterable<Page>,
    input: Input,
    itemsOf: (page: Page) => Item[] | undefined,
    pageSize = 1000,
  ): Promise<Item[]> {
    const pages = await this.#all(action, () => pagesOf({ client: this.client, pageSize }, input));
    return pages.flatMap((page) => itemsOf(page) ?? []);
  }

  async #all<Page>(
    action: string,
    pages: (sdk: Awaited<ReturnType<typeof loadSdk>>) => AsyncIterable<Page>,
  ): Promise<Page[]> {
    const found: Page[] = [];
    try {
      for await (const page of pages(this.sdk)) found.push(page);
    } catch (error) {
      throw this.#refused(action, error as Error);
    }
    return found;
  }

  /** Messages of AWS may contain an encoded policy, so only the action is reported. */
  #refused(action: string, { name, message }: Error): LiveFault {
    if (REFUSALS.has(name))
      return new LiveFault(
        `${this.name} forbids ec2:${action}`,
        "allow it, as the IAM policy in docs/check.md does",
        FORBIDDEN,
      );
    if (NO_CREDENTIALS.has(name))
      return new LiveFault(
        `no usable AWS credentials found (${name})`,
        "set AWS_PROFILE, run aws sso login, or assume a role",
      );
    if (UNKNOWN_USER.test(name))
      return new LiveFault(
        `${this.name} rejects the credentials (${name})`,
        "use valid credentials: AWS_PROFILE, aws sso login, or a role",
      );
    return new LiveFault(
      `${this.name} does not answer ec2:${action}: ${withoutAdvice(message) || name}`,
      "check the region, the endpoint and the network path to it",
    );
  }
}

/** The SDK appends lines of advice for developers. */
const withoutAdvice = (message: string): string => message.split("\n", 1)[0]!;

const XML = /^(?:text|application)\/xml\b/;

/**
 * A proxy or a portal in between may answer 200 with its own page. The SDK reads it as an empty answer, and a gate that checked nothing
 * must not report that all is well.
 */
function refuseForeignAnswers(client: EC2Client): void {
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const { statusCode, headers } = result.response as {
        statusCode: number;
        headers: Record<string, string | undefined>;
      };
      const type = headers["content-type"] ?? "no type";
      if (statusCode < 300 && !XML.test(type))
        throw new Error(`the answer does not come from EC2: it is ${type}, not XML`);
      return result;
    },
    { step: "deserialize", priority: "low", name: "refuseForeignAnswers" },
  );
}

const filter = (name: string, values: readonly string[]): Filter[] => [{ Name: name, Values: [...values] }];

/** An answer of EC2 without pages. */
async function* inOnePage<Page>(send: () => Promise<Page>): AsyncIterable<Page> {
  yield await send();
}
