/** ESLint's rule of this name, which oxlint lacks: its options are syntax selectors, each with the reason why that syntax is rejected. */
const restrictedSyntax = {
  meta: { schema: false },
  create: (context) =>
    Object.fromEntries(
      context.options.map(({ selector, message }) => [selector, (node) => context.report({ node, message })]),
    ),
};

export default { meta: { name: "local" }, rules: { "restricted-syntax": restrictedSyntax } };
