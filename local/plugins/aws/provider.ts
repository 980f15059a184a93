import {
  type Props as WireProps,
  type ProviderDefinition,
  type ResourceKind,
  UnfinishedError,
} from "../provider";
import { describeError } from "./awsError";
import { configFaults, readConfig } from "./config";
import { invoke } from "./invokes";
import type { Props } from "./kind";
import { kinds } from "./kinds";
import { Lifecycle } from "./lifecycle";
import { schemaResources } from "./schema";
import { Session } from "./session";

/** The version of @pulumi/aws whose resources the stand-in supports. */
const VERSION = "7.48.0";

// The SDK warns every user of Node.js 20 about its end of support; users of this program cannot act on that.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= "true";

/** The provider definition for the engine: the kinds of the stand-in. */
export function awsProvider(): ProviderDefinition {
  let session = new Session({ defaultTags: {} });
  const lifecycles = kinds.map((kind) => new Lifecycle(kind, () => session));
  return {
    name: "aws",
    version: VERSION,
    kinds: new Map(lifecycles.map((lifecycle) => [lifecycle.kind.token, resourceKind(lifecycle)])),
    schema: { resources: schemaResources(kinds) },
    checkConfig: (config) => ({ inputs: config, failures: configFaults(config as Props) }),
    configure: (config) => {
      session = new Session(readConfig(config as Props));
    },
    invoke: (token, args) => inWords(() => invoke(session, token, args as Props)),
    finish: () => session.confirm(),
  };
}

/** A kind of resource. Secrets are unwrapped before the calls, so the properties are plain values. */
function resourceKind(lifecycle: Lifecycle): ResourceKind {
  const limit = (seconds: number | undefined) => seconds && seconds * 1000;
  return {
    check: (request) => {
      const { inputs, faults } = lifecycle.check({
        token: request.type,
        name: request.name,
        inputs: request.news as Props,
        oldInputs: request.olds as Props | undefined,
        randomSeed: request.randomSeed,
        proposedName: request.autonaming?.proposedName,
      });
      return { inputs, failures: faults };
    },
    diff: ({ urn, id, oldState, oldInputs, news }) => {
      const { differences, deleteBeforeReplace } = lifecycle.diff(
        urn,
        id,
        oldState as Props,
        oldInputs as Props,
        news as Props,
      );
      return {
        changes: differences.length > 0,
        replaces: differences.filter(({ replaces }) => replaces).map(({ property }) => property),
        deleteBeforeReplace,
        detailedDiff: Object.fromEntries(
          differences.map(({ property, replaces, change }) => [
            property,
            { change, replaces, inputDiff: property !== "tagsAll" },
          ]),
        ),
      };
    },
    create: ({ urn, inputs, preview }) =>
      inWords(() => lifecycle.create({ urn, inputs: inputs as Props, preview })),
    read: ({ urn, id, state, inputs }) =>
      inWords(() => lifecycle.read({ urn, id, state: state as Props }, inputs as Props)),
    update: ({ urn, id, oldState, news, preview }): Promise<WireProps> =>
      inWords(() => lifecycle.update({ urn, id, state: oldState as Props, inputs: news as Props, preview })),
    delete: ({ urn, id, state, timeout }) =>
      inWords(() => lifecycle.remove({ urn, id, state: state as Props, deleteLimit: limit(timeout) })),
  };
}

/** Reports errors in the server's words: its code and its text. */
async function inWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UnfinishedError) throw error;
    throw new Error(describeError(error), { cause: error });
  }
}
