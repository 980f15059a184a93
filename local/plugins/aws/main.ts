/** The entry of `pulumi-resource-aws`, the stand-in for the official AWS provider. See README.md. */
import { serveProvider } from "../provider";
import { awsProvider } from "./provider";

/** The version of @pulumi/aws whose resources the stand-in knows. */
const VERSION = "7.48.0";

// The SDK tells every user of Node 20 when it will stop serving it; whoever runs this cannot act on that.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= "true";

void serveProvider(awsProvider(VERSION));
