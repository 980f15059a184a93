/** The nouns of the field: each folder has what is judged of one, its rules, and its component. */
const nouns = [
  "addressRanges",
  "dedicatedNodes",
  "egressFirewall",
  "egressIp",
  "egressRouter",
  "fleet",
  "hostedCluster",
  "isolation",
  "multicast",
  "networkAcls",
  "networkOperator",
  "networkTypeMigration",
  "ovnSubnets",
  "probes",
  "proxy",
  "securityGroups",
];
/** The layers of the package, lowest first. A layer imports from itself and from those below. */
export const layers = [
  ["fault", "requirements", "address"],
  ["topology", "resources"],
  ["objects", "cluster"],
  ["flows"],
  ["reachability"],
  ["gate"],
  nouns,
  ["rules"],
  ["plan", "runBook"],
  ["components"],
  nouns.map((noun) => `${noun}/component`),
  ["landingZone"],
  ["cli", "report", "live"],
  ["testing"],
];
const firstWithPulumi = layers.findIndex((layer) => layer.includes("components"));

/** What files of a layer may not import; `src` is the way from them to that folder. */
const aboveLayer = (height, src = "**/..") => [
  {
    group: [
      ...layers.slice(height + 1).flatMap((layer) => layer.map((name) => `${src}/${name}/**`)),
      ...["policy", "local", "examples", "test"].map((name) => `**/../${name}/**`),
    ],
    message: "Imports point downwards only.",
  },
  ...(height < firstWithPulumi
    ? [
        {
          group: ["@pulumi/*", "./component/**", "../component/**"],
          message: "Below src/components nothing knows of Pulumi.",
        },
      ]
    : []),
];
/** A component knows of other components what users write for them (`*Args`), and no more. */
const otherComponents = (folder) =>
  folder.endsWith("/component")
    ? [
        {
          group: nouns
            .filter((noun) => !folder.startsWith(`${noun}/`))
            .flatMap((noun) => [`**/${noun}/component/**`, `!**/${noun}/component/*Args`]),
          message: "What components share stands in src/components.",
        },
      ]
    : [];
/** The whole of either SDK is 400 modules more, which every program in another language would wait for. */
const wholeSdks = ["@pulumi/aws", "@pulumi/kubernetes"].map((name) => ({
  name,
  allowTypeImports: true,
  message: `Import what is used: "${name}/...".`,
}));
/** Layer by layer and depth by depth: a folder in a layer may have the name of another layer. Components come after what is around them. */
const importsPointDownwards = layers.flatMap((layer, height) =>
  layer
    .flatMap((folder) => [
      { folder, files: [`src/${folder}.ts`], src: "." },
      ...[1, 2, 3].map((depth) => ({
        folder,
        files: [`src/${folder}/${"*/".repeat(depth - 1)}*.ts`],
        src: Array(depth + folder.split("/").length - 1)
          .fill("..")
          .join("/"),
      })),
    ])
    .map(({ folder, files, src }) => ({
      files,
      rules: {
        "no-restricted-imports": [
          "error",
          { paths: wholeSdks, patterns: [...aboveLayer(height, src), ...otherComponents(folder)] },
        ],
      },
    })),
);
const writesFiles = {
  importNames: ["writeFileSync", "appendFileSync", "createWriteStream"],
  message: "OutputFile writes files: none over an input, and none by halves.",
};
/** The command line writes in one place each: to standard error by `tell()`, into files by OutputFile. */
const writesAtTheBorder = {
  files: ["src/cli/**/*.ts"],
  excludeFiles: ["src/cli/terminal.ts", "src/cli/program.ts", "src/cli/outputFile.ts"],
  rules: {
    "no-restricted-properties": [
      "error",
      {
        object: "terminal",
        property: "error",
        message: "tell() says lines on standard error, in which nothing of others begins a line of its own.",
      },
    ],
    "no-restricted-imports": [
      "error",
      {
        paths: ["node:fs", "fs"].map((name) => ({ name, ...writesFiles })),
        patterns: aboveLayer(layers.findIndex((layer) => layer.includes("cli"))),
      },
    ],
  },
};

/** A call takes as many arguments as its stack has room for. */
const spreadsNothing = {
  files: ["src/**/*.ts", "policy/**/*.ts"],
  rules: {
    "local/restricted-syntax": [
      "error",
      {
        selector:
          "CallExpression[callee.property.name=/^(push|unshift|splice|max|min|fromCharCode|fromCodePoint)$/] > SpreadElement",
        message: "Each entry goes onto the stack, which takes some 100,000: see src/collections.ts.",
      },
    ],
  },
};

/** Names of rules, one after another, as errors. */
const errors = (names) =>
  Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, "error"]),
  );

/** What ESLint and typescript-eslint recommend, with types; the compiler itself says what is missing here. */
const everywhere = errors(`
  for-direction no-async-promise-executor no-case-declarations no-compare-neg-zero no-cond-assign
  no-constant-binary-expression no-constant-condition no-control-regex no-debugger no-delete-var no-dupe-else-if
  no-duplicate-case no-empty no-empty-character-class no-empty-pattern no-empty-static-block no-ex-assign
  no-extra-boolean-cast no-fallthrough no-global-assign no-invalid-regexp no-irregular-whitespace
  no-loss-of-precision no-misleading-character-class no-nonoctal-decimal-escape no-prototype-builtins
  no-regex-spaces no-self-assign no-shadow-restricted-names no-sparse-arrays no-unsafe-finally
  no-unsafe-optional-chaining no-unused-labels no-unused-private-class-members no-useless-backreference
  no-useless-catch no-useless-escape require-yield use-isnan valid-typeof
`);
/** In TypeScript the compiler finds these. */
const inJavaScript = errors(`
  constructor-super getter-return no-class-assign no-const-assign no-dupe-class-members no-dupe-keys
  no-func-assign no-import-assign no-new-native-nonconstructor no-obj-calls no-redeclare no-setter-return
  no-this-before-super no-undef no-unreachable no-unsafe-negation no-with
`);
const inTypeScript = errors(`
  no-var prefer-const prefer-rest-params prefer-spread typescript/await-thenable typescript/ban-ts-comment
  no-array-constructor typescript/no-array-delete typescript/no-base-to-string
  typescript/no-duplicate-enum-values typescript/no-duplicate-type-constituents typescript/no-empty-object-type
  typescript/no-explicit-any typescript/no-extra-non-null-assertion typescript/no-floating-promises
  typescript/no-for-in-array typescript/no-implied-eval typescript/no-misused-new typescript/no-misused-promises
  typescript/no-namespace typescript/no-non-null-asserted-optional-chain
  typescript/no-redundant-type-constituents typescript/no-require-imports typescript/no-this-alias
  typescript/no-unnecessary-type-assertion typescript/no-unnecessary-type-constraint
  typescript/no-unsafe-argument typescript/no-unsafe-assignment typescript/no-unsafe-call
  typescript/no-unsafe-declaration-merging typescript/no-unsafe-enum-comparison
  typescript/no-unsafe-function-type typescript/no-unsafe-member-access typescript/no-unsafe-return
  typescript/no-unsafe-unary-minus no-unused-expressions typescript/no-wrapper-object-types
  typescript/only-throw-error typescript/prefer-as-const typescript/prefer-namespace-keyword
  typescript/prefer-promise-reject-errors typescript/require-await typescript/restrict-plus-operands
  typescript/restrict-template-expressions typescript/triple-slash-reference typescript/unbound-method
`);

export default {
  plugins: ["typescript", "import"],
  jsPlugins: ["./local/restrictedSyntax.mjs"],
  categories: { correctness: "off" },
  ignorePatterns: ["dist/", "coverage/", "node_modules/", ".hypershift-network/"],
  options: { typeAware: true, reportUnusedDisableDirectives: "error" },
  rules: {
    ...everywhere,
    // Types of one another are no circle: nothing of them is loaded.
    "import/no-cycle": ["error", { ignoreTypes: false }],
    "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
  },
  overrides: [
    { files: ["**/*.ts"], rules: inTypeScript },
    {
      files: ["policy/**/*.ts"],
      rules: {
        "no-restricted-imports": [
          "error",
          {
            patterns: [
              {
                group: ["@pulumi/aws*", "@pulumi/kubernetes*"],
                message: "The policy pack has to load fast.",
              },
              {
                group: ["**/components/**", "**/local/**"],
                message: "The policy pack judges resources, it creates none.",
              },
            ],
          },
        ],
      },
    },
    ...importsPointDownwards,
    writesAtTheBorder,
    spreadsNothing,
    { files: ["**/*.{js,mjs,cjs}"], env: { node: true, es2024: true }, rules: inJavaScript },
  ],
};
