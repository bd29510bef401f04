//! Multinomial logistic regression with the STEW penalty, in double precision, sum by sum.

/// The features of every action of a state, each multiplied by its direction, and the chosen one.
#[derive(Clone, Debug)]
pub struct ChoiceSet<const P: usize> {
    /// One row for every action.
    pub actions: Vec<[f64; P]>,
    /// The row of the chosen action.
    pub chosen: usize,
}

/// A problem to find the best weights for.
#[derive(Clone, Debug)]
pub struct Problem<const P: usize> {
    /// What was chosen.
    pub sets: Vec<ChoiceSet<P>>,
    /// The strength of the penalty on differences between weights.
    pub lambda: f64,
    /// The strength of the penalty on the weights themselves.
    pub ridge: f64,
    /// Which weights are drawn to zero by the first penalty, and not to the others.
    pub free: [bool; P],
}

impl<const P: usize> Problem<P> {
    /// −Σ log softmax(β·φ)\[chosen\] + λ Σ_{i<j} (βᵢ − βⱼ)² + ridge Σ βᵢ², where the second sum is over pairs
    /// without a free weight, and has βᵢ² for each free one.
    pub fn value(&self, beta: &[f64; P]) -> f64 {
        let loss: f64 = self.sets.iter().map(|set| set.loss(beta)).sum();
        let mut penalty = 0.;
        for i in 0..P {
            penalty += self.ridge * beta[i].powi(2);
            if self.free[i] {
                penalty += self.lambda * beta[i].powi(2);
            }
            for j in (i + 1..P).filter(|&j| self.is_pair(i, j)) {
                penalty += self.lambda * (beta[i] - beta[j]).powi(2);
            }
        }
        loss + penalty
    }

    /// Whether the difference of two weights is penalised.
    fn is_pair(&self, i: usize, j: usize) -> bool {
        i != j && !self.free[i] && !self.free[j]
    }

    /// The first derivatives: what the weights expect of each feature, less what was chosen.
    pub fn gradient(&self, beta: &[f64; P]) -> [f64; P] {
        let mut gradient = [0.; P];
        for i in 0..P {
            for set in &self.sets {
                for (action, p) in set.actions.iter().zip(set.probabilities(beta)) {
                    gradient[i] += p * (action[i] - set.actions[set.chosen][i]);
                }
            }
            for j in (0..P).filter(|&j| self.is_pair(i, j)) {
                gradient[i] += 2. * self.lambda * (beta[i] - beta[j]);
            }
            if self.free[i] {
                gradient[i] += 2. * self.lambda * beta[i];
            }
            gradient[i] += 2. * self.ridge * beta[i];
        }
        gradient
    }

    /// The second derivatives: what the weights expect of products of features, less the products of
    /// what they expect.
    pub fn hessian(&self, beta: &[f64; P]) -> [[f64; P]; P] {
        let pairs = |i| (0..P).filter(|&j| self.is_pair(i, j)).count();
        let penalty = |i: usize, j: usize| match i == j {
            true if self.free[i] => 2. * self.ridge + 2. * self.lambda,
            true => 2. * self.ridge + 2. * self.lambda * pairs(i) as f64,
            false if self.is_pair(i, j) => -2. * self.lambda,
            false => 0.,
        };
        let mut hessian: [[f64; P]; P] =
            std::array::from_fn(|i| std::array::from_fn(|j| penalty(i, j)));
        for set in &self.sets {
            let probabilities = set.probabilities(beta);
            let mean = |of: &dyn Fn(&[f64; P]) -> f64| -> f64 {
                let weighed = set.actions.iter().zip(&probabilities);
                weighed.map(|(action, p)| p * of(action)).sum()
            };
            let centre: [f64; P] = std::array::from_fn(|i| mean(&|x| x[i]));
            for i in 0..P {
                for j in 0..P {
                    hessian[i][j] += mean(&|x| (x[i] - centre[i]) * (x[j] - centre[j]));
                }
            }
        }
        hessian
    }

    /// The best weights: Newton's method from zero, with every step halved until it is worth taking.
    pub fn minimum(&self) -> [f64; P] {
        let mut beta = [0.; P];
        loop {
            let gradient = self.gradient(&beta);
            let step = solve(self.hessian(&beta), gradient.map(|slope| -slope));
            let slope: f64 = step.iter().zip(gradient).map(|(s, g)| s * g).sum();
            if slope > -1e-13 {
                return beta;
            }
            let along = |fraction: f64| std::array::from_fn(|i| beta[i] + fraction * step[i]);
            let value = self.value(&beta);
            let is_worth_it = |&f: &f64| self.value(&along(f)) < value + 0.1 * f * slope;
            match (0..50).map(|i| 0.5f64.powi(i)).find(is_worth_it) {
                Some(fraction) => beta = along(fraction),
                None => return beta,
            }
        }
    }
}

/// The solution of a·x = b, by Gaussian elimination. The matrix is positive definite, so that every
/// pivot is positive.
#[expect(
    clippy::needless_range_loop,
    reason = "rows and columns by number, as on paper"
)]
fn solve<const P: usize>(mut a: [[f64; P]; P], mut b: [f64; P]) -> [f64; P] {
    for i in 0..P {
        for row in i + 1..P {
            let factor = a[row][i] / a[i][i];
            for column in i..P {
                a[row][column] -= factor * a[i][column];
            }
            b[row] -= factor * b[i];
        }
    }
    for i in (0..P).rev() {
        for column in i + 1..P {
            b[i] -= a[i][column] * b[column];
        }
        b[i] /= a[i][i];
    }
    b
}

impl<const P: usize> ChoiceSet<P> {
    /// −log of the probability of what was chosen.
    fn loss(&self, beta: &[f64; P]) -> f64 {
        let logits = self.logits(beta);
        let best = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let total: f64 = logits.iter().map(|logit| (logit - best).exp()).sum();
        total.ln() - (logits[self.chosen] - best)
    }

    fn probabilities(&self, beta: &[f64; P]) -> Vec<f64> {
        let logits = self.logits(beta);
        let best = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let odds: Vec<f64> = logits.iter().map(|logit| (logit - best).exp()).collect();
        let total: f64 = odds.iter().sum();
        odds.iter().map(|odds| odds / total).collect()
    }

    fn logits(&self, beta: &[f64; P]) -> Vec<f64> {
        let dot = |action: &[f64; P]| action.iter().zip(beta).map(|(x, b)| x * b).sum();
        self.actions.iter().map(dot).collect()
    }
}
