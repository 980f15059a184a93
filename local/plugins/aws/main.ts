/** The entry point of `pulumi-resource-aws`, the stand-in for the official AWS provider. See README.md. */
import { serveProvider } from "../provider";
import { awsProvider } from "./provider";

void serveProvider(awsProvider());
