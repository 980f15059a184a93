import * as kubernetes from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";

/** A custom kind of this suite with a default, a rule, an immutable field, and an optional part. */
export const gaugeDefinition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "gauges.conformance.example.com" },
  spec: {
    group: "conformance.example.com",
    scope: "Namespaced",
    names: { plural: "gauges", singular: "gauge", kind: "Gauge" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: {
                type: "object",
                required: ["unit"],
                properties: {
                  unit: {
                    type: "string",
                    "x-kubernetes-validations": [{ rule: "self == oldSelf", message: "unit is immutable" }],
                  },
                  size: {
                    type: "integer",
                    default: 3,
                    "x-kubernetes-validations": [{ rule: "self < 100", message: "size is below 100" }],
                  },
                  subnet: {
                    type: "object",
                    properties: { join: { type: "string", pattern: "^100\\." }, transit: { type: "string" } },
                  },
                },
              },
              status: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
            },
          },
        },
      },
    ],
  },
};

const apiVersion = "conformance.example.com/v1";

type Options = pulumi.CustomResourceOptions;

/** A program of one gauge. */
export const gauge = (name: string, spec: object, annotations?: Record<string, string>, options?: Options) =>
  program(() => {
    const metadata = { name, namespace: "default", annotations };
    new kubernetes.apiextensions.CustomResource(name, { apiVersion, kind: "Gauge", metadata, spec }, options);
  });

/** A program of one patch of a gauge. */
export const gaugePatch = (
  name: string,
  spec: object,
  annotations?: Record<string, string>,
  options?: Options,
) =>
  program(() => {
    const metadata = { name, namespace: "default", annotations };
    const patch = { apiVersion, kind: "Gauge", metadata, spec };
    new kubernetes.apiextensions.CustomResourcePatch(`${name}-patch`, patch, options);
  });

/** The program of the Automation API that runs the steps. */
export function program(steps: () => void): () => Promise<void> {
  return () => {
    steps();
    return Promise.resolve();
  };
}
