/** The entry of `pulumi-resource-aws`, the stand-in for the official AWS provider. See README.md. */
import { serveProvider } from "../provider";
import { awsProvider } from "./provider";

/** The version of @pulumi/aws whose resources the stand-in knows. */
const VERSION = "7.48.0";

void serveProvider(awsProvider(VERSION));
