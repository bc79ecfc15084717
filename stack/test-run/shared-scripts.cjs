const vm = require('node:vm');
const { default: Runtime } = require('jest-runtime');

/** What is compiled, by file, for all suites of this worker. */
const compiled = new Map();

/**
 * Loaded once a worker: Temporal's messages and a list of names, which are large and keep no state. Nothing else: a
 * package with a registry, or whose errors and dates somebody compares by class, belongs to its suite.
 */
const shared = /\/node_modules\/(@temporalio\/proto|protobufjs|long|disposable-email-domains)\//;

/**
 * Jest's own runtime, but what one suite has compiled the next one runs: each still has its own
 * modules in a context of its own. See docs/why/tests.md.
 */
class SharedScripts extends Runtime {
  constructor(...args) {
    super(...args);
    const { cjsLoader, executor } = this;
    const loadAlone = cjsLoader.loadModule.bind(cjsLoader);
    cjsLoader.loadModule = (module, from, name, file, ...rest) => {
      if (!shared.test(file)) return loadAlone(module, from, name, file, ...rest);
      return Object.assign(module, { exports: require(file), loaded: true });
    };
    const compileAlone = executor.compile.bind(executor);
    executor.compile = (source, file) => {
      const context = this._environment.getVmContext();
      const script = context && scriptOf(source, file, executor.injectedModuleParameters);
      // What does not compile is told in jest's words.
      return script ? script.runInContext(context) : compileAlone(source, file);
    };
  }
}

function scriptOf(source, file, parameters) {
  const known = compiled.get(file);
  if (known?.source === source) return known.script;
  const script = compile(source, file, parameters);
  compiled.set(file, { source, script });
  return script;
}

function compile(source, filename, parameters) {
  try {
    // On the first line, so that all lines keep their numbers.
    return new vm.Script(`(function (${parameters}) {${source}\n})`, { filename });
  } catch {
    return undefined;
  }
}

module.exports = SharedScripts;
