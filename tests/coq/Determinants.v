(* Determinants.v -- the determinant of a matrix of numbers, with each minor of the last rows computed once:
 * n 2^(n-1) products in place of Laplace's n!.  Both do the same operations in the same order, so they agree
 * over any scalars.
 *)
From Coq Require Import List Arith ZArith QArith Qreals Reals Lra Lia Bool.
From Ckda Require Import Language Fractions Check Points.
Import ListNotations.
Local Open Scope nat_scope.

Fixpoint choose k (l : list nat) : list (list nat) :=
  match k, l with
  | 0, _ => [[]]
  | S _, [] => []
  | S j, x :: l' => map (cons x) (choose j l') ++ choose k l'
  end.
Definition without k (l : list nat) := firstn k l ++ skipn (S k) l.
Definition same_list := forall2b Nat.eqb.

Section Minors.
  Context {T : Type} (O : ops T) (A : mat T).

  (* The minor of the n rows from r on and these n columns. *)
  Fixpoint below n r (c : list nat) : T :=
    match n with
    | 0 => cst O 1
    | S m => total O (map (fun k => signed O k (times O (get O A r (nth k c 0))
                                                      (fun _ => below m (S r) (without k c))))
                          (seq 0 n))
    end.

  Definition minors := list (list nat * T).
  Definition found (t : minors) n r c : T :=
    match List.find (fun e => same_list (fst e) c) t with Some e => snd e | None => below n r c end.
  (* All minors of the last n of N rows. *)
  Fixpoint last_minors N n : minors :=
    match n with
    | 0 => [([], cst O 1)]
    | S m =>
        let t := last_minors N m in
        map (fun c => (c, total O (map (fun k => signed O k (times O (get O A (N - n) (nth k c 0))
                                              (fun _ => found t m (S (N - n)) (without k c))))
                                       (seq 0 n))))
            (choose n (seq 0 N))
    end.
  Definition determinant :=
    let N := rows A in found (last_minors N N) N 0 (seq 0 N).

  (* ---- the same as Laplace's ---- *)

  Lemma same_list_ok a : forall b, same_list a b = true -> a = b.
  Proof.
    induction a as [|x a IH]; intros [|y b]; cbn; try discriminate; auto.
    intros H. apply andb_prop in H as [H K]. apply Nat.eqb_eq in H. f_equal; auto.
  Qed.

  Lemma found_ok t n r c : (forall e, In e t -> snd e = below n r (fst e)) -> found t n r c = below n r c.
  Proof.
    intros H. unfold found. destruct (List.find _ t) as [e|] eqn:F; auto.
    apply find_some in F as [I E]. apply same_list_ok in E. rewrite (H e I). now f_equal.
  Qed.

  Lemma last_minors_ok N n : n <= N -> forall e, In e (last_minors N n) -> snd e = below n (N - n) (fst e).
  Proof.
    induction n as [|m IH]; intros L e; cbn [last_minors].
    - intros [<-|[]]. reflexivity.
    - intros I. apply in_map_iff in I as (c & <- & _). cbn [fst snd below]. f_equal.
      apply map_ext. intros k. do 2 f_equal. rewrite found_ok; auto.
      intros e I. replace (S (N - S m)) with (N - m) by lia. apply IH; [lia|exact I].
  Qed.

  Lemma get_tab m n f i j : i < m -> j < n -> get O (tab m n f) i j = f i j.
  Proof.
    intros. unfold get, tab. rewrite (nth_map_seq (fun i => map (f i) (seq 0 n))) by assumption.
    now rewrite nth_map_seq.
  Qed.

  Lemma without_nth k c j : k < length c ->
    nth j (without k c) 0 = nth (if j <? k then j else S j) c 0.
  Proof.
    unfold without. revert k j. induction c as [|x c IH]; intros k j L; [now apply Nat.nlt_0_r in L|].
    destruct k as [|k]; [now destruct j|]. cbn [length] in L. destruct j as [|j]; [reflexivity|].
    cbn [firstn skipn app nth]. specialize (IH k j). cbn [skipn] in IH. rewrite IH by lia.
    change (S j <? S k) with (j <? k). now destruct (j <? k).
  Qed.
  Lemma without_length k c : k < length c -> length (without k c) = pred (length c).
  Proof. intros. unfold without. rewrite app_length, firstn_length, skipn_length. lia. Qed.

  Lemma below_ok n : forall B r c, rows B = n -> cols B = n -> length c = n ->
    (forall i j, i < n -> j < n -> get O B i j = get O A (r + i) (nth j c 0)) ->
    laplace O n B = below n r c.
  Proof.
    induction n as [|m IH]; intros B r c R C L H; cbn [laplace below]; auto. f_equal.
    apply map_ext_in. intros k I. apply in_seq in I. f_equal.
    rewrite H by lia. rewrite Nat.add_0_r. f_equal.
    enough (E : laplace O m (minor O 0 k B) = below m (S r) (without k c)) by now rewrite E.
    apply IH.
    - unfold minor, rows, tab. rewrite map_length, seq_length. unfold rows in R. now rewrite R.
    - unfold minor. rewrite R, C. cbn [pred]. unfold cols, tab. destruct m; [reflexivity|].
      cbn [seq map hd]. cbn [length]. now rewrite map_length, seq_length.
    - rewrite without_length by lia. now rewrite L.
    - intros i j Hi Hj. unfold minor. rewrite R, C, get_tab by (cbn [pred]; assumption).
      rewrite without_nth by lia. change (i <? 0) with false. cbn iota.
      rewrite H; [|lia|destruct (j <? k); lia]. now replace (S r + i) with (r + S i) by lia.
  Qed.

  Theorem determinant_ok : cols A = rows A -> determinant = det O A.
  Proof.
    intros E. unfold determinant, det. rewrite found_ok.
    - symmetry. apply below_ok; auto using seq_length. intros i j _ Hj. now rewrite seq_nth.
    - intros e I. rewrite (last_minors_ok _ _ (Nat.le_refl _) e I). f_equal. apply Nat.sub_diag.
  Qed.
End Minors.

(* det(a) >= 0, > 0, <> 0 where a depends on no variable *)
Definition nowhere (_ : nat) : option Q := None.
Definition check_det t o a :=
  let A := val Qops nowhere t a in
  (cols A =? rows A) && match determinant Qops A with Some q => test o q | None => false end.

Theorem det_sound t o a : check_det t o a = true -> valid t (Cmp o (Det a) (Num 0)).
Proof.
  unfold check_det. intros H rho _. apply andb_prop in H as [E H]. apply Nat.eqb_eq in E.
  rewrite (determinant_ok _ _ E) in H.
  assert (K : orel Q2R (det Rops (val Rops rho t a)) (det Qops (val Qops nowhere t a))).
  { apply rel_det; [apply points|]. apply val_related; [apply points|]. intros i; exact I. }
  destruct (det Qops _) as [q|]; [|discriminate]. cbn [orel] in K.
  change (compared o (det Rops (val Rops rho t a) - Q2R 0)%R). rewrite K, Q2R_0, Rminus_0_r.
  pose proof (test_ok o q) as V. now rewrite H in V.
Qed.
