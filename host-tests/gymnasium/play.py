"""Plays learned cart-pole policies in Gymnasium's own CartPole-v1, 100 episodes each.

    python3 -m venv venv && venv/bin/pip install --require-hashes -r requirements.txt
    cargo ipse train --task cart-pole --algorithm ipse --iterations 100 --out policy.json
    venv/bin/python play.py policy.json

`cargo xtask test gymnasium` does all of it. For each file this prints

    FILE: N of 100 episodes held for 500 steps

and it fails only if something could not be played. Whether N is enough is for the caller to say.

The episodes are Gymnasium's: its physics in floating point, its first states, its limits. What is ours is the policy:
the features of `tasks/src/cart_pole.rs`, weighed by the numbers in the file. Features are rounded down to whole steps
here too, since these integers are what a policy is defined on and what a board computes. Without that, this would be
another policy wherever two pushes are nearly equal.

With `--check FILE` nothing is played: the features are compared with those that `tasks/src/cart_pole.rs` computes.
"""

import json
import math
import random
import sys

import gymnasium

TASK = "cart-pole"
FEATURES = ["position ahead", "angle ahead", "spin", "speed"]
# The steps of features, in a metre and in a radian, and what a step is worth. As in `tasks/src/cart_pole.rs`.
METRES = 1024
RADIANS = 4096
HALF_TRACK = 1 / (2.4 * METRES)
TILT = 1 / (0.2094 * RADIANS)
UNITS = [HALF_TRACK, 16 * TILT, 4 * TILT, HALF_TRACK]

EPISODES = 100
STEPS = 500
# Of the first states. Gymnasium's generator is not that of a learner, so that any seeds give states that none has seen.
FIRST_SEED = 1_000_000
PUSHES = (0, 1)
# Observations are rounded to 32 bits, and so is what is computed from them.
TOLERANCE = 1e-5


class Model:
    """Gymnasium's equations with Gymnasium's constants, to look one push ahead."""

    def __init__(self, env):
        self.gravity = env.gravity
        self.total_mass = env.total_mass
        self.mass_pole = env.masspole
        self.length = env.length
        self.pole_mass_length = env.polemass_length
        self.force = env.force_mag
        self.tau = env.tau

    def pushed(self, state, push):
        """The state after a push to the left, 0, or to the right, 1."""
        x, speed, angle, spin = state
        sine, cosine = math.sin(angle), math.cos(angle)
        force = self.force if push == 1 else -self.force
        lone = (force + self.pole_mass_length * spin * spin * sine) / self.total_mass
        inertia = self.length * (4 / 3 - self.mass_pole * cosine * cosine / self.total_mass)
        angular = (self.gravity * sine - cosine * lone) / inertia
        acceleration = lone - self.pole_mass_length * angular * cosine / self.total_mass
        return (
            x + self.tau * speed,
            speed + self.tau * acceleration,
            angle + self.tau * spin,
            spin + self.tau * angular,
        )


def features(state):
    """The features of a push that leads to this state, in whole steps. The bounds that the task has for them are
    beyond what an episode can reach."""
    x, speed, angle, spin = state
    return (
        int(abs(x + speed) * METRES),
        int(abs(angle + spin / 4) * RADIANS),
        int(abs(spin) * RADIANS),
        int(abs(speed) * METRES),
    )


class Policy:
    """Takes the push whose features weigh the most, and either if they weigh the same."""

    def __init__(self, weights):
        # The weights in a file are those of real units.
        self.weights = [weight * unit for weight, unit in zip(weights, UNITS)]

    def score(self, state):
        a, b, c, d = self.weights
        position, angle, spin, speed = features(state)
        return a * position + b * angle + c * spin + d * speed

    def choose(self, ahead, coins):
        """The better of two pushes, by the states that they lead to."""
        left, right = (self.score(state) for state in ahead)
        if left == right:
            return coins.choice(PUSHES)
        return int(right > left)


def read(path):
    """The policy in a file."""
    try:
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
    except (OSError, ValueError) as error:
        sys.exit(f"{path}: cannot read a policy: {error}")
    if not isinstance(content, dict):
        sys.exit(f"{path}: not a JSON object")
    for field, expected in (("task", TASK), ("features", FEATURES)):
        value = content.get(field)
        if value != expected:
            sys.exit(f"{path}: {field} is {json.dumps(value)}; expected {json.dumps(expected)}")
    weights = content.get("weights")
    if not isinstance(weights, list) or len(weights) != len(FEATURES) or not all(map(is_weight, weights)):
        sys.exit(f"{path}: weights is {json.dumps(weights)}; expected {len(FEATURES)} finite numbers")
    return Policy(weights)


def is_weight(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def holds(env, model, policy, seed):
    """Plays one episode. Returns whether it went on to the last step, with the pole still up after it."""
    coins = random.Random(seed)
    observation, _ = env.reset(seed=seed)
    steps, is_over = 0, False
    while not is_over:
        state = observation.tolist()
        ahead = [model.pushed(state, push) for push in PUSHES]
        push = policy.choose(ahead, coins)
        observation, _, has_failed, is_out_of_time, _ = env.step(push)
        steps += 1
        is_over = has_failed or is_out_of_time
        for expected, found in zip(ahead[push], observation.tolist()):
            if abs(expected - found) > TOLERANCE:
                sys.exit(f"after {state} and push {push} Gymnasium is in {observation}; expected {ahead[push]}")
    return steps == STEPS and not has_failed


def play(paths):
    # All are read before the first is played, so that what is refused is refused at once.
    policies = [(path, read(path)) for path in paths]
    env = gymnasium.make("CartPole-v1")
    if env.spec.max_episode_steps != STEPS:
        sys.exit(f"CartPole-v1 has {env.spec.max_episode_steps} steps; expected {STEPS}")
    model = Model(env.unwrapped)
    for path, policy in policies:
        held = sum(holds(env, model, policy, FIRST_SEED + episode) for episode in range(EPISODES))
        print(f"{path}: {held} of {EPISODES} episodes held for {STEPS} steps", flush=True)


def check(path):
    """Compares units and features with those of the task, in states with coordinates in steps of 2⁻²⁴."""
    with open(path, encoding="utf-8") as file:
        golden = json.load(file)
    for name, unit, expected in zip(FEATURES, UNITS, golden["units"], strict=True):
        # The task has them in 32 bits.
        if not math.isclose(unit, expected, rel_tol=1e-6):
            sys.exit(f"{path}: the unit of {name} is {expected} in the task and {unit} here")
    model = Model(gymnasium.make("CartPole-v1").unwrapped)
    for case in golden["states"]:
        state = [coordinate / 2**24 for coordinate in case["state"]]
        found = [list(features(model.pushed(state, push))) for push in PUSHES]
        if found != case["features"]:
            sys.exit(f"{path}: the features of {state} are {case['features']} in the task and {found} here")
    print(f"the features of {len(golden['states'])} states are those of the task")


def main():
    match sys.argv[1:]:
        case ["--check", path]:
            check(path)
        case [first, *others] if not first.startswith("-"):
            play([first, *others])
        case _:
            sys.exit("usage: play.py FILE..., learned policies, or play.py --check FILE, features of the task")


main()
