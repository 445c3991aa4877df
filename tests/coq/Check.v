(* Check.v -- the decision procedures that close the lemmas of the ledger, proved sound: equations
 * and divisibility.  (Signs.v has inequalities, Points.v counterexamples.)
 *
 * Each takes hints that the exporter worked out (divisors, rules with their cofactors, quotients)
 * and computes in normal forms; no hint is trusted.
 *)
From Coq Require Import List Arith ZArith QArith Qreals Reals Lra Bool.
From Coq Require Import Ring_polynom.
From Ckda Require Import Language Fractions.
Import ListNotations.
Local Open Scope nat_scope.

(* ---- texts of hints become polynomials ---- *)

Definition poly_of n e : option poly :=
  match eval e frac (Fops [] []) (fvar n) [] with
  | [[Some (p, [])]] => Some p
  | _ => None
  end.
Fixpoint all_some {A B} (f : A -> option B) (l : list A) : option (list B) :=
  match l with
  | [] => Some []
  | a :: l' => match f a, all_some f l' with Some b, Some k => Some (b :: k) | _, _ => None end
  end.
Definition polys n := all_some (poly_of n).

Lemma all_some_in {A B} (f : A -> option B) l : forall k, all_some f l = Some k ->
  forall b, In b k -> exists a, In a l /\ f a = Some b.
Proof.
  induction l as [|a l IH]; intros k; simpl; [intros [= <-] b []|].
  destruct (f a) as [c|] eqn:E, (all_some f l) as [k'|]; try discriminate.
  intros [= <-] b [<-|H]; [eauto|]. destruct (IH _ eq_refl b H) as (a' & ? & ?); eauto.
Qed.

Definition env n (rho : nat -> R) := map rho (seq 0 n).

Lemma poly_of_ok n e p rho :
  poly_of n e = Some p -> pval (env n rho) p = value Rops (eval e R Rops rho []).
Proof.
  unfold poly_of. intros H.
  assert (K : mrel (frel n [] rho) (eval e R Rops rho []) (eval e frac (Fops [] []) (fvar n) [])).
  { apply eval_related; [|intros; apply fvar_ok|constructor].
    apply fractions; [intros q []|reflexivity]. }
  destruct (eval e frac (Fops [] []) (fvar n) []) as [|row rest]; [discriminate|].
  destruct row as [|[[q [|x y]]|] more]; try discriminate.
  destruct more; [|discriminate]. destruct rest; [|discriminate].
  injection H as ->.
  inversion K as [|u v w z K1 K2]; subst. inversion K2; subst.
  inversion K1 as [|a b c d K3 K4]; subst. inversion K4; subst.
  unfold value, get; simpl. unfold frel, fval in K3; cbn [fst snd map power] in K3.
  rewrite K3. unfold env. field.
Qed.

Definition entry_of n (r : expr * (Q * list nat)) : option (poly * (Q * list nat)) :=
  match poly_of n (fst r) with Some p => Some (p, snd r) | None => None end.

(* ---- lists of the same shape ---- *)

Fixpoint zip {A B} (f : A -> A -> B) (l k : list A) : list B :=
  match l, k with a :: l', b :: k' => f a b :: zip f l' k' | _, _ => [] end.
Fixpoint forall2b {A} (f : A -> A -> bool) (l k : list A) : bool :=
  match l, k with
  | [], [] => true
  | a :: l', b :: k' => f a b && forall2b f l' k'
  | _, _ => false
  end.

Lemma forall2b_ok {T U} (r : T -> U -> Prop) f l l' k k' :
  (forall a x b y, r a x -> r b y -> f x y = true -> a = b) ->
  Forall2 r l l' -> Forall2 r k k' -> forall2b f l' k' = true -> l = k.
Proof.
  intros H K; revert k k'. induction K; intros k k' L; destruct L; simpl; try discriminate; auto.
  intros E; apply andb_prop in E as [E F]. f_equal; eauto.
Qed.

Lemma zip_same {T U V} (r : T -> U -> Prop) (q : V -> Prop) (f : U -> U -> V) l :
  (forall a x y, r a x -> r a y -> q (f x y)) ->
  forall l1 l2, Forall2 r l l1 -> Forall2 r l l2 -> Forall q (zip f l1 l2).
Proof.
  intros H. induction l as [|a l IH]; intros l1 l2 K1 K2; inversion K1; inversion K2; subst;
    simpl; constructor; eauto.
Qed.

(* ---- what is known at a point of the reals ---- *)

Definition rule := (expr * expr * list expr)%type. (* leading term, the rest, cofactors *)
Record hints := Hints {
  h_vars : nat;
  h_known : list (expr * (Q * list nat));
  h_rules : list rule;
  h_extra : list nat     (* powers of the denominators that a difference is multiplied by *)
}.

Fixpoint combination (c r : list poly) : poly :=
  match c, r with
  | a :: c', b :: r' => padd (pmul a b) (combination c' r')
  | _, _ => pcst 0
  end.
Lemma combination_ok l r : Forall (fun p => pval l p = 0%R) r ->
  forall c, pval l (combination c r) = 0%R.
Proof.
  induction 1 as [|p r P _ IH]; intros [|a c]; cbn [combination];
    rewrite ?pcst_ok, ?Q2R_0, ?padd_ok, ?pmul_ok, ?P, ?IH; ring.
Qed.

Definition rule_polys n (rels : list poly) (r : rule) : option (poly * poly) :=
  let '(lead, tail, cofactors) := r in
  match poly_of n lead, poly_of n tail, polys n cofactors with
  | Some p, Some q, Some c =>
      if peq (psub p q) (combination c rels) then Some (p, q) else None
  | _, _, _ => None
  end.
Definition one_rule (r : poly * poly) : option (Q * Mon * poly) :=
  match mon_of_pol 0%Q Qeq_bool (fst r) with Some m => Some (m, snd r) | None => None end.

Lemma rule_polys_ok n rels r p rho :
  Forall (fun p => pval (env n rho) p = 0%R) rels -> rule_polys n rels r = Some p ->
  pval (env n rho) (fst p) = pval (env n rho) (snd p).
Proof.
  intros Z. unfold rule_polys. destruct r as [[lead tail] cof].
  destruct (poly_of n lead) as [u|], (poly_of n tail) as [v|], (polys n cof) as [c|];
    try discriminate.
  destruct (peq _ _) eqn:E; [|discriminate]. intros [= <-]; cbn [fst snd].
  apply (peq_ok (env n rho)) in E.
  rewrite psub_ok, combination_ok in E by assumption. lra.
Qed.

Lemma one_rule_ok l r m :
  pval l (fst r) = pval l (snd r) -> one_rule r = Some m ->
  (Q2R (fst (fst m)) * Mphi 0%R 1%R Rmult l (snd (fst m)) = pval l (snd m))%R.
Proof.
  intros H. unfold one_rule. destruct (mon_of_pol _ _ (fst r)) as [cm|] eqn:M; [|discriminate].
  intros [= <-]; cbn [fst snd].
  pose proof (mon_of_pol_ok (Eqsth R) ext almost morphism (fst r) M l) as K.
  change (Q2R (fst cm) * Mphi 0 1 Rmult l (snd cm) = pval l (fst r))%R in K. now rewrite K.
Qed.

(* Rewriting that finds every multiple of a leading term (Ring_polynom's misses some): to p one
   adds c X^e (tail - lead), which is zero. *)
Fixpoint terms (p : poly) : list (Q * list nat) :=
  match p with
  | Pc c => [(c, [])]
  | Pinj j q => map (fun t => (fst t, repeat 0 (Pos.to_nat j) ++ snd t)) (terms q)
  | PX a i b =>
      map (fun t => (fst t, match snd t with
                            | [] => [Pos.to_nat i]
                            | k :: e => Pos.to_nat i + k :: e
                            end)) (terms a)
      ++ map (fun t => (fst t, 0 :: snd t)) (terms b)
  end.
Fixpoint exponents_from (a b : list nat) : option (list nat) :=   (* a - b *)
  match a, b with
  | _, [] => Some a
  | [], k :: b' => if k =? 0 then exponents_from [] b' else None
  | j :: a', k :: b' =>
      if k <=? j then match exponents_from a' b' with Some e => Some (j - k :: e) | None => None end
      else None
  end.
Fixpoint monomial i c (e : list nat) : poly :=
  match e with
  | [] => pcst c
  | 0 :: e' => monomial (S i) c e'
  | k :: e' => pmul (ppow (pvar i) k) (monomial (S i) c e')
  end.
Definition move := (list nat * poly)%type. (* exponents of the leading term, tail - lead *)
Definition move_of (r : poly * poly) : move :=
  (match terms (fst r) with t :: _ => snd t | [] => [] end, psub (snd r) (fst r)).
Fixpoint moved (moves : list move) (t : Q * list nat) : poly :=
  match moves with
  | [] => pcst 0
  | (m, d) :: more =>
      match exponents_from (snd t) m with
      | Some e => pmul (monomial 0 (fst t) e) d
      | None => moved more t
      end
  end.
Definition lead_terms (p : poly) := filter (fun t => negb (Qeq_bool (fst t) 0)) (terms p).
Fixpoint rewritten fuel moves p : poly :=
  match fuel with
  | 0 => p
  | S f =>
      if is_zero p then p
      else rewritten f moves (fold_left (fun s t => padd s (moved moves t)) (lead_terms p) p)
  end.

Lemma moved_ok l moves t : Forall (fun m => pval l (snd m) = 0%R) moves -> pval l (moved moves t) = 0%R.
Proof.
  induction 1 as [|[m d] more H _ IH]; cbn [moved snd] in *; [now rewrite pcst_ok, Q2R_0|].
  destruct (exponents_from _ m); auto. rewrite pmul_ok, H. ring.
Qed.
Lemma rewritten_ok l moves : Forall (fun m => pval l (snd m) = 0%R) moves ->
  forall fuel p, pval l (rewritten fuel moves p) = pval l p.
Proof.
  intros H. induction fuel as [|f IH]; intros p; cbn [rewritten]; auto.
  destruct (is_zero p); auto. rewrite IH. generalize (lead_terms p). intros ts. revert p.
  induction ts as [|t ts IHt]; intros p; cbn [fold_left]; auto.
  rewrite IHt, padd_ok, moved_ok by assumption. ring.
Qed.

Definition numerator (x : frac) : poly := match x with Some y => fst y | None => pcst 0 end.

Definition subf h := fadd_with h psub.

Definition relation_polys h O rho ds (t : theory) : list poly :=
  flat_map (fun p => concat (zip (zip (fun x y => numerator (subf h x y)))
                                 (eval (fst p) frac O rho ds) (eval (snd p) frac O rho ds)))
           (relations t).

Record context := Context {
  c_h : list poly;
  c_ops : ops frac;
  c_defs : list (mat frac);
  c_rules : list (Q * Mon * poly);
  c_moves : list move
}.

Definition context_of (t : theory) (k : hints) : option context :=
  let n := h_vars k in
  match polys n (nonzero t), all_some (entry_of n) (h_known k) with
  | Some h, Some known =>
      if known_ok h known then
        let O := Fops h known in
        let ds := values O (fvar n) (defs t) [] in
        match all_some (rule_polys n (relation_polys h O (fvar n) ds t)) (h_rules k) with
        | Some rules =>
            match all_some one_rule rules with
            | Some fast => Some (Context h O ds fast (map move_of rules))
            | None => None
            end
        | None => None
        end
      else None
  | _, _ => None
  end.

Definition evalf (k : hints) (c : context) e := eval e frac (c_ops c) (fvar (h_vars k)) (c_defs c).

(* Does p vanish: as it stands, modulo the relations, or times denominators modulo them? *)
Definition vanishes (k : hints) (c : context) (p : poly) :=
  if is_zero p then true else
  match c_rules c with
  | [] => false
  | rules =>
      let rest := preduce rules 200 200 p in
      if is_zero rest then true
      else if is_zero (rewritten 100 (c_moves c) rest) then true
      else is_zero (rewritten 100 (c_moves c) (pmul rest (ppower (c_h c) (h_extra k))))
  end.
Definition equal (k : hints) (c : context) (x y : frac) :=
  match subf (c_h c) x y with Some z => vanishes k c (fst z) | None => false end.

Section AtPoint.
  Variables (t : theory) (k : hints) (c : context) (rho : nat -> R).
  Hypothesis C : context_of t k = Some c.
  Hypothesis A : admissible t rho.
  Let n := h_vars k.
  Let l := env n rho.
  Let rel := frel n (c_h c) rho.

  Lemma facts :
    (forall p, In p (c_h c) -> pval l p <> 0%R) /\ related Rops (c_ops c) rel /\
    Forall2 (mrel rel) (values Rops rho (defs t) []) (c_defs c) /\
    MPcond 0%R 1%R Rplus Rmult eq Q2R (c_rules c) l /\
    Forall (fun m => pval l (snd m) = 0%R) (c_moves c).
  Proof.
    unfold rel. revert C. unfold context_of. fold n.
    destruct (polys n (nonzero t)) as [h|] eqn:H; [|discriminate].
    destruct (all_some _ (h_known k)) as [known|]; [|discriminate].
    destruct (known_ok h known) eqn:K; [|discriminate].
    destruct (all_some _ (h_rules k)) as [rules|] eqn:Ru; [|discriminate].
    destruct (all_some one_rule rules) as [fast|] eqn:Fa; [|discriminate].
    intros [= <-]; cbn [c_h c_ops c_defs c_rules c_moves].
    assert (NZ : forall p, In p h -> pval l p <> 0%R).
    { intros p Hp. destruct (all_some_in _ _ _ H _ Hp) as (e & He & Pe).
      unfold l. rewrite (poly_of_ok _ _ _ rho Pe). now apply A. }
    assert (Rel : related Rops (Fops h known) (frel n h rho)) by (now apply fractions).
    assert (Ds : Forall2 (mrel (frel n h rho)) (values Rops rho (defs t) [])
                         (values (Fops h known) (fvar n) (defs t) [])).
    { apply values_related; auto. intros; apply fvar_ok. }
    split; [exact NZ|split; [exact Rel|split; [exact Ds|]]].
    assert (Z : Forall (fun p => pval l p = 0%R)
                       (relation_polys h (Fops h known) (fvar n)
                                       (values (Fops h known) (fvar n) (defs t) []) t)).
    { apply Forall_forall. intros p Hp. apply in_flat_map in Hp as (r & Hr & Hp).
      destruct A as (E & _ & _). specialize (E r Hr). unfold val in E.
      assert (X : forall e, mrel (frel n h rho)
                   (eval e R Rops rho (values Rops rho (defs t) []))
                   (eval e frac (Fops h known) (fvar n)
                         (values (Fops h known) (fvar n) (defs t) []))).
      { intros e. apply eval_related; auto. intros; apply fvar_ok. }
      pose proof (X (fst r)) as X1. pose proof (X (snd r)) as X2. rewrite E in X1.
      revert p Hp. rewrite <- Forall_forall. apply Forall_concat.
      refine (zip_same _ (Forall (fun p => pval l p = 0%R)) _ _ _ _ _ X1 X2).
      intros a x y Ha Hb. apply (zip_same (frel n h rho) (fun p => pval l p = 0%R) _ a); auto.
      clear - NZ. intros b u v Hu Hv.
      pose proof (r_sub _ _ _ (fractions n h [] rho NZ eq_refl) _ _ _ _ Hu Hv) as S.
      change (sub (Fops h []) u v) with (subf h u v) in S.
      destruct (subf h u v) as [[p e]|]; simpl numerator; [|rewrite pcst_ok; apply Q2R_0].
      unfold frel, fval in S; cbn [fst snd sub Rops] in S.
      pose proof (h_power n h rho NZ e) as P.
      apply (Rmult_eq_reg_r (/ power (map (pval (map rho (seq 0 n))) h) e));
        [|now apply Rinv_neq_0_compat].
      unfold Rdiv in S. unfold l, env. rewrite <- S. ring. }
    assert (E : Forall (fun r => pval l (fst r) = pval l (snd r)) rules).
    { apply Forall_forall. intros r I. destruct (all_some_in _ _ _ Ru _ I) as (r' & _ & K').
      exact (rule_polys_ok _ _ _ _ rho Z K'). }
    clear - E Fa. split.
    - revert fast Fa. induction E as [|r rs H _ IH]; intros fast; simpl.
      + intros [= <-]. exact I.
      + destruct (one_rule r) as [m|] eqn:M; [|discriminate].
        destruct (all_some _ rs) as [ms|]; [|discriminate].
        intros [= <-]; simpl. destruct m as [m q]. split; [|now apply IH].
        exact (one_rule_ok l r (m, q) H M).
    - clear Fa. induction E as [|r rs H _ IH]; simpl; constructor; auto.
      unfold move_of; cbn [snd]. rewrite psub_ok, H. ring.
  Qed.

  Lemma evalf_ok e : mrel rel (eval e R Rops rho (values Rops rho (defs t) [])) (evalf k c e).
  Proof.
    destruct facts as (_ & Rel & Ds & _ & _). unfold evalf. apply eval_related; auto.
    intros; apply fvar_ok.
  Qed.

  Lemma vanishes_ok p : vanishes k c p = true -> pval l p = 0%R.
  Proof.
    destruct facts as (NZ & _ & _ & M & V). unfold vanishes.
    destruct (is_zero p) eqn:Z; [intros; now apply is_zero_ok|].
    destruct (c_rules c) as [|r rs] eqn:E; [discriminate|]. cbv zeta.
    rewrite (preduce_ok _ _ 200 200 p M). set (rest := preduce _ _ _ p).
    destruct (is_zero rest) eqn:Z1; [intros; now apply is_zero_ok|].
    destruct (is_zero (rewritten 100 _ rest)) eqn:Z2; intros H.
    - apply (is_zero_ok l) in Z2. now rewrite rewritten_ok in Z2.
    - apply (is_zero_ok l) in H. rewrite rewritten_ok, pmul_ok, ppower_ok in H by assumption.
      apply Rmult_integral in H as [H|H]; auto.
      exfalso. revert H. apply power_nz. intros x Hx.
      apply in_map_iff in Hx as (q & <- & Hq). auto.
  Qed.

  Lemma equal_ok a x b y : rel a x -> rel b y -> equal k c x y = true -> a = b.
  Proof.
    destruct facts as (NZ & _ & _ & _ & _). unfold equal. intros Ha Hb H.
    pose proof (r_sub _ _ _ (fractions n (c_h c) [] rho NZ eq_refl) _ _ _ _ Ha Hb) as S.
    change (sub (Fops (c_h c) []) x y) with (subf (c_h c) x y) in S.
    destruct (subf (c_h c) x y) as [[p e]|]; [|discriminate].
    apply vanishes_ok in H. cbn [fst] in H.
    unfold frel, fval in S; cbn [fst snd sub Rops] in S. unfold l, env in H. rewrite H in S.
    unfold Rdiv in S. rewrite Rmult_0_l in S. lra.
  Qed.
End AtPoint.

(* ---- equations ---- *)

Definition check_eq t k a b :=
  match context_of t k with
  | Some c => forall2b (forall2b (equal k c)) (evalf k c a) (evalf k c b)
  | None => false
  end.

Theorem eq_sound t k a b : check_eq t k a b = true -> valid t (Eq a b).
Proof.
  unfold check_eq. destruct (context_of t k) as [c|] eqn:C; [|discriminate].
  intros H rho A. simpl. unfold val.
  refine (forall2b_ok _ _ _ _ _ _ _ (evalf_ok _ _ _ _ C A a) (evalf_ok _ _ _ _ C A b) H).
  intros u x v y. apply forall2b_ok. intros; eapply equal_ok; eauto.
Qed.

(* ---- divisibility ---- *)

Lemma rel_eq {T} (m n : mat T) : mrel eq m n -> m = n.
Proof.
  unfold mrel. induction 1 as [|a b m n H K IH]; auto. f_equal; auto.
  clear - H. induction H; f_equal; auto.
Qed.
Lemma related_eq : related Rops Rops eq.
Proof. constructor; simpl; intros; congruence. Qed.
Lemma eval_ext e rho rho' ds : (forall i, rho i = rho' i) ->
  eval e R Rops rho ds = eval e R Rops rho' ds.
Proof.
  intros H. apply rel_eq. apply eval_related; auto using related_eq.
  induction ds; constructor; auto. clear. unfold mrel. induction a; constructor; auto.
  clear. induction a; constructor; auto.
Qed.

Section Quotient.
  Context {T : Type} (O : ops T) (rho : nat -> T) (x : nat).
  Fixpoint quotient (q : list expr) : T :=
    match q with
    | [] => cst O 0
    | a :: q' => add O (value O (eval (Subst a x (Num 0)) T O rho [])) (mul O (rho x) (quotient q'))
    end.
End Quotient.

Definition check_divides t k n f g x q :=
  (length q =? n) &&
  match context_of t k with
  | Some c =>
      let O := c_ops c in
      equal k c (value O (evalf k c g))
            (mul O (value O (evalf k c f)) (quotient O (fvar (h_vars k)) x q))
  | None => false
  end.

Theorem divides_sound t k n f g x q :
  check_divides t k n f g x q = true -> valid t (Divides n f g x).
Proof.
  unfold check_divides. intros H. apply andb_prop in H as [L H]. apply Nat.eqb_eq in L.
  destruct (context_of t k) as [c|] eqn:C; [|discriminate].
  intros rho _. cbn [meaning].
  exists (map (fun a => value Rops (eval a R Rops (upd rho x (Q2R 0)) [])) q).
  split; [now rewrite map_length|]. intros x0. cbv zeta. set (r := upd rho x x0) in *. intros A.
  pose proof (facts _ _ _ _ C A) as (_ & Rel & _ & _).
  pose proof (rel_get _ _ _ Rel _ _ 0 0 (evalf_ok _ _ _ _ C A f)) as Rf.
  pose proof (rel_get _ _ _ Rel _ _ 0 0 (evalf_ok _ _ _ _ C A g)) as Rg.
  assert (Rq : frel (h_vars k) (c_h c) r (quotient Rops r x q)
                    (quotient (c_ops c) (fvar (h_vars k)) x q)).
  { clear - Rel. induction q as [|a q IH]; cbn [quotient]; [apply (r_cst _ _ _ Rel)|].
    apply (r_add _ _ _ Rel); [|apply (r_mul _ _ _ Rel); auto using fvar_ok].
    apply (rel_get _ _ _ Rel), eval_related;
      [exact Rel|intros; apply fvar_ok|constructor]. }
  pose proof (r_mul _ _ _ Rel _ _ _ _ Rf Rq) as Rm.
  pose proof (equal_ok _ _ _ _ C A _ _ _ _ Rg Rm H) as Q. cbn [mul Rops] in Q.
  unfold val. unfold value at 1. rewrite Q. unfold value. f_equal.
  clear - q. induction q as [|a q IH]; cbn [quotient peval map fold_right]; [apply Q2R_0|].
  cbn [add mul Rops]. rewrite IH. unfold peval. f_equal.
  - cbn [eval]. unfold value. f_equal. apply eval_ext. intros i. unfold r, upd.
    destruct (i =? x); auto.
  - f_equal. unfold r, upd. now rewrite Nat.eqb_refl.
Qed.
