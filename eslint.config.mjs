import js from "@eslint/js";
import prettier from "eslint-config-prettier";
import tseslint from "typescript-eslint";

/** The layers of the package, lowest first. A layer imports from itself and from those below. */
const layers = [
  ["fault", "requirements", "address"],
  ["topology", "resources"],
  ["reachability"],
  ["manifests", "cluster"],
  ["rules"],
  ["plan", "runBook"],
  ["components"],
  ["cli", "report", "live"],
  ["testing"],
];
const firstWithPulumi = layers.findIndex((layer) => layer.includes("components"));

const importsPointDownwards = layers.flatMap((layer, height) =>
  layer.map((folder) => ({
    files: [`src/${folder}/**/*.ts`, `src/${folder}.ts`],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          patterns: [
            {
              group: [...layers.slice(height + 1).flat(), "policy", "local", "examples", "test"].flatMap(
                (name) => [`**/../${name}/**`, `./${name}/**`],
              ),
              message: "Imports point downwards only.",
            },
            ...(height < firstWithPulumi
              ? [{ group: ["@pulumi/*"], message: "Below src/components nothing knows of Pulumi." }]
              : []),
          ],
        },
      ],
    },
  })),
);

export default tseslint.config(
  { ignores: ["dist/", "coverage/", "node_modules/", ".hypershift-network/"] },
  js.configs.recommended,
  {
    files: ["**/*.ts"],
    extends: [...tseslint.configs.recommendedTypeChecked],
    // One program for all: the project service would make one for each example, which has a tsconfig.json of its own.
    languageOptions: { parserOptions: { project: "tsconfig.json", tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
    },
  },
  {
    files: ["src/**/*.ts", "policy/**/*.ts"],
    rules: {
      "no-restricted-syntax": [
        "error",
        {
          selector:
            "CallExpression[callee.property.name=/^(push|unshift|splice|max|min|fromCharCode|fromCodePoint)$/] > SpreadElement",
          message: "Each entry goes onto the stack, which takes some 100,000: see src/pushAll.ts.",
        },
      ],
    },
  },
  {
    files: ["policy/**/*.ts"],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          patterns: [
            { group: ["@pulumi/aws*", "@pulumi/kubernetes*"], message: "The policy pack has to load fast." },
            {
              group: ["**/components/**", "**/local/**"],
              message: "The policy pack judges resources, it creates none.",
            },
          ],
        },
      ],
    },
  },
  {
    files: ["src/cli/**/*.ts"],
    ignores: ["src/cli/terminal.ts", "src/cli/program.ts"],
    rules: {
      "no-restricted-syntax": [
        "error",
        {
          selector: "CallExpression[callee.object.name='terminal'][callee.property.name='error']",
          message:
            "tell() says lines on standard error, in which nothing of others begins a line of its own.",
        },
        {
          selector: "CallExpression[callee.name=/^(writeFileSync|appendFileSync|createWriteStream)$/]",
          message: "OutputFile writes files: none over an input, and none by halves.",
        },
      ],
    },
  },
  { files: ["src/cli/outputFile.ts"], rules: { "no-restricted-syntax": "off" } },
  ...importsPointDownwards,
  {
    files: ["**/*.{mjs,cjs}"],
    languageOptions: {
      globals: {
        process: "readonly",
        console: "readonly",
        fetch: "readonly",
        module: "writable",
        require: "readonly",
        URL: "readonly",
      },
    },
  },
  {
    // What every version of Node.js has to be able to read, so that it can be refused in words.
    files: ["src/**/*.js", "policy/**/*.js"],
    languageOptions: {
      ecmaVersion: 5,
      sourceType: "commonjs",
      globals: { __dirname: "readonly", process: "readonly", require: "readonly" },
    },
  },
  prettier,
);
