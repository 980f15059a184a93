/** ESLint's rule of this name, which oxlint lacks: its options are selectors of syntax, each with the reason why it is refused. */
const restrictedSyntax = {
  meta: { schema: false },
  create: (context) =>
    Object.fromEntries(
      context.options.map(({ selector, message }) => [selector, (node) => context.report({ node, message })]),
    ),
};

export default { meta: { name: "local" }, rules: { "restricted-syntax": restrictedSyntax } };
