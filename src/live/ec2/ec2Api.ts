import type { EC2Client, Filter, ManagedPrefixList } from "@aws-sdk/client-ec2";

import { pushAll } from "../../collections";
import { FORBIDDEN, LiveFault } from "../../cluster/liveCluster";
import { SEARCHED } from "./transitGateways";

/** Which part of an account is read. */
export interface Ec2Access {
  /** Default: that of the environment or the profile, as the AWS SDK finds it. */
  region?: string;
  /** Ids of VPCs. Absent or empty: every one of the region. */
  vpcs?: readonly string[];
}

/** The SDK takes a third of a second to load, which only those pay who read EC2. */
const loadSdk = () => import("@aws-sdk/client-ec2");

/** The names with which EC2 refuses what a user may not do. */
const REFUSALS: ReadonlySet<string> = new Set([
  "UnauthorizedOperation",
  "AccessDenied",
  "AccessDeniedException",
]);

/** How many values a filter takes. (EC2 API reference, Filter) */
const MOST_VALUES = 200;

/** The names with which the SDK says that it has nothing to sign with: nothing was asked yet. */
const NO_CREDENTIALS: ReadonlySet<string> = new Set(["CredentialsProviderError", "TokenProviderError"]);

/** The names with which EC2 says that it does not know who asks. */
const UNKNOWN_USER =
  /^(AuthFailure|InvalidClientTokenId|SignatureDoesNotMatch|RequestExpired|ExpiredToken|UnrecognizedClientException)/;

/** The EC2 API of a region. It is only read. */
export class Ec2Api {
  /** What users call it. */
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
   * Credentials, region and endpoint are those that the AWS SDK finds: environment, profile, role.
   *
   * @throws LiveFault where no region is named
   */
  static async open({ region, vpcs = [] }: Ec2Access): Promise<Ec2Api> {
    const sdk = await loadSdk();
    const client = new sdk.EC2Client(region === undefined ? {} : { region });
    refuseForeignAnswers(client);
    try {
      return new Ec2Api(sdk, client, await client.config.region(), vpcs);
    } catch {
      throw new LiveFault("nothing says the region of the EC2 API", "write --region, or set AWS_REGION");
    }
  }

  /** Every VPC that is asked for. */
  readonly vpcsThere = () =>
    this.#all("DescribeVpcs", ({ paginateDescribeVpcs }) =>
      paginateDescribeVpcs({ client: this.client, pageSize: 1000 }, this.#inVpcs()),
    ).then((pages) => pages.flatMap(({ Vpcs = [] }) => Vpcs));

  readonly subnets = () =>
    this.#all("DescribeSubnets", ({ paginateDescribeSubnets }) =>
      paginateDescribeSubnets({ client: this.client, pageSize: 1000 }, this.#inVpcs()),
    ).then((pages) => pages.flatMap(({ Subnets = [] }) => Subnets));

  readonly securityGroups = () =>
    this.#all("DescribeSecurityGroups", ({ paginateDescribeSecurityGroups }) =>
      paginateDescribeSecurityGroups({ client: this.client, pageSize: 1000 }, this.#inVpcs()),
    ).then((pages) => pages.flatMap(({ SecurityGroups = [] }) => SecurityGroups));

  readonly networkAcls = () =>
    this.#all("DescribeNetworkAcls", ({ paginateDescribeNetworkAcls }) =>
      paginateDescribeNetworkAcls({ client: this.client, pageSize: 1000 }, this.#inVpcs()),
    ).then((pages) => pages.flatMap(({ NetworkAcls = [] }) => NetworkAcls));

  readonly routeTables = () =>
    this.#all("DescribeRouteTables", ({ paginateDescribeRouteTables }) =>
      paginateDescribeRouteTables({ client: this.client, pageSize: 100 }, this.#inVpcs()),
    ).then((pages) => pages.flatMap(({ RouteTables = [] }) => RouteTables));

  /** Those of every VPC: filters of both ends would have to hold at once. */
  readonly peerings = () =>
    this.#all("DescribeVpcPeeringConnections", ({ paginateDescribeVpcPeeringConnections }) =>
      paginateDescribeVpcPeeringConnections({ client: this.client, pageSize: 1000 }, {}),
    ).then((pages) => pages.flatMap(({ VpcPeeringConnections = [] }) => VpcPeeringConnections));

  /** The VPCs at transit gateways. */
  readonly transitGatewayAttachments = () =>
    this.#all("DescribeTransitGatewayAttachments", ({ paginateDescribeTransitGatewayAttachments }) =>
      paginateDescribeTransitGatewayAttachments(
        { client: this.client, pageSize: 1000 },
        { Filters: [...filter("resource-type", ["vpc"]), ...(this.#inVpcs("resource-id").Filters ?? [])] },
      ),
    ).then((pages) => pages.flatMap(({ TransitGatewayAttachments = [] }) => TransitGatewayAttachments));

  /** Those of transit gateways of this account: no other account may see them. */
  readonly transitGatewayRouteTables = () =>
    this.#all("DescribeTransitGatewayRouteTables", ({ paginateDescribeTransitGatewayRouteTables }) =>
      paginateDescribeTransitGatewayRouteTables({ client: this.client, pageSize: 1000 }, {}),
    ).then((pages) => pages.flatMap(({ TransitGatewayRouteTables = [] }) => TransitGatewayRouteTables));

  /** The routes by which a transit gateway's route table decides, page by page. */
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

  /** Those of every gateway: filters of both kinds of gateways would have to hold at once. */
  readonly vpnConnections = () =>
    this.#all("DescribeVpnConnections", ({ DescribeVpnConnectionsCommand }) =>
      inOnePage(() => this.client.send(new DescribeVpnConnectionsCommand({}))),
    ).then((pages) => pages.flatMap(({ VpnConnections = [] }) => VpnConnections));

  /** The prefix lists with some ids. */
  async prefixLists(ids: readonly string[]): Promise<ManagedPrefixList[]> {
    const found: ManagedPrefixList[] = [];
    for (let first = 0; first < ids.length; first += MOST_VALUES) {
      const asked = { Filters: filter("prefix-list-id", ids.slice(first, first + MOST_VALUES)) };
      const pages = await this.#all("DescribeManagedPrefixLists", ({ paginateDescribeManagedPrefixLists }) =>
        paginateDescribeManagedPrefixLists({ client: this.client, pageSize: 100 }, asked),
      );
      pushAll(
        found,
        pages.flatMap(({ PrefixLists = [] }) => PrefixLists),
      );
    }
    return found;
  }

  readonly prefixListEntries = (id: string) =>
    this.#all("GetManagedPrefixListEntries", ({ paginateGetManagedPrefixListEntries }) =>
      paginateGetManagedPrefixListEntries({ client: this.client, pageSize: 100 }, { PrefixListId: id }),
    ).then((pages) => pages.flatMap(({ Entries = [] }) => Entries));

  #inVpcs(name = "vpc-id"): { Filters?: Filter[] } {
    return this.vpcs.length > 0 ? { Filters: filter(name, this.vpcs) } : {};
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

  /** Messages of AWS may hold an encoded policy: the action says enough. */
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
        `${this.name} does not know who asks (${name})`,
        "take credentials that are valid: AWS_PROFILE, aws sso login, or a role",
      );
    return new LiveFault(
      `${this.name} does not answer ec2:${action}: ${withoutAdvice(message) || name}`,
      "look at the region, the endpoint and the way there",
    );
  }
}

/** The SDK adds lines for who writes programs with it. */
const withoutAdvice = (message: string): string => message.split("\n", 1)[0]!;

const XML = /^(?:text|application)\/xml\b/;

/**
 * A proxy or a portal on the way may answer 200 with a page of its own. The SDK reads it as an answer in which there is nothing, and a
 * gate that looked at nothing must not say that all is well.
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
        throw new Error(`what answers is not EC2, it sends ${type} and not XML`);
      return result;
    },
    { step: "deserialize", priority: "low", name: "refuseForeignAnswers" },
  );
}

const filter = (name: string, values: readonly string[]): Filter[] => [{ Name: name, Values: [...values] }];

/** What EC2 answers without pages. */
async function* inOnePage<Page>(send: () => Promise<Page>): AsyncIterable<Page> {
  yield await send();
}
