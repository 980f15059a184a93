/** The entry point of `pulumi-resource-kubernetes`, the stand-in for the official Kubernetes provider. */
import { serveProvider } from "../provider";
import { kubernetesProvider } from "./provider";

void serveProvider(kubernetesProvider());
